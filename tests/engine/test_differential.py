"""Fresh deals every time, in step with another program of the same game."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]

# OpenSpiel comes built for these; where it does not, nobody has to build it to run the tests.
OFFERED = sys.platform == "linux" or (sys.platform == "darwin" and platform.machine() == "arm64")

RARE = {
    "25 points",
    "a seat without tricks, no moon",
    "every trick to one seat",
    "hearts led unbroken",
    "moons",
    "queen led unbroken",
    "scoring card on the first trick",
}


def differential(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "tools/differential.py", *options],
        cwd=HERE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not OFFERED, reason="there is no OpenSpiel for this machine")
def test_a_thousand_fresh_deals_in_ten_variants_go_as_in_an_independent_program() -> None:
    run = differential("--deals", "1000")
    assert run.returncode == 0, run.stdout + run.stderr
    first, *counted = run.stdout.splitlines()
    assert first.startswith("1000 deals agree, from seed ")
    reached = {what: int(count) for count, what in (line.split(maxsplit=1) for line in counted)}
    assert reached.keys() == RARE
    assert all(reached.values()), reached
