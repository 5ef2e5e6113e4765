"""Install a wheel alone in an empty venv outside the tree, and have it play and audit a game.

python tools/try_wheel.py dist/hearts_table-0.1.0-py3-none-any.whl
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Final

GAME: Final = ("play", "--auto", "--plain", "--seed", "demo", "--target", "30")
VERDICT: Final = "audit: clean"


def main(arguments: list[str]) -> int:
    """Try the wheel; 0 if its game ends with a clean audit."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    wheel = Path(arguments[0]).resolve(strict=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = install(wheel, folder / "venv")
        played = run([str(programs / "hearts"), *GAME, "--data", str(folder / "data")], folder)
    last = (played.stdout.strip().splitlines() or [""])[-1]
    if played.returncode or VERDICT not in last:
        print(played.stdout, played.stderr, sep="\n")
        print(f"{wheel.name}: exit code {played.returncode}, and its last line is {last!r}")
        return 1
    print(f"{wheel.name}, installed alone, played a game: {last}")
    return 0


def install(wheel: Path, target: Path) -> Path:
    """The folder of the programs of a new venv that holds the wheel and what it needs."""
    venv.create(target, with_pip=True)
    programs = target / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(programs / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    installed = run([*pip, "install", str(wheel)], target)
    if installed.returncode:
        raise SystemExit(installed.stderr)
    return programs


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A command that ran in this folder with none of the caller's Python settings."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        command,
        cwd=folder,
        env=plain,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
