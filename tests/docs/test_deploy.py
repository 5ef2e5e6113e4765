"""deploy/ starts servers that there are, as somebody without rights."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from hearts_cli.main import main

ROOT = Path(__file__).parents[2]
UNIT = (ROOT / "deploy" / "hearts.service").read_text(encoding="utf-8")
CONTAINER = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")


def settings() -> dict[str, list[str]]:
    """The unit's settings; systemd allows the same name again."""
    found = dict[str, list[str]]()
    for name, value in re.findall(r"^(\w+)=(.*)$", UNIT, re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


def steps(name: str) -> list[str]:
    """The instructions of this name in the container file."""
    return re.findall(rf"^ *{name} (.*)$", CONTAINER, re.MULTILINE)


def require_typeable(words: list[str]) -> None:
    """Fail if the command cannot be called so."""
    verb, *arguments = words
    with main.make_context("hearts", [verb]) as context:
        command = main.get_command(context, verb)
        assert command is not None
        command.make_context(verb, arguments, parent=context).close()


def test_the_service_starts_a_server_that_can_be_started_so() -> None:
    (line,) = settings()["ExecStart"]
    program, *words = shlex.split(line)
    assert Path(program).name == "hearts"
    assert words[0] == "serve"
    require_typeable(words)


def test_the_service_comes_back_has_time_to_end_and_rights_to_nothing_else() -> None:
    given = settings()
    assert given["Restart"] == ["always"]
    assert int(given["TimeoutStopSec"][0].removesuffix("s")) > 10
    assert given["ProtectSystem"] == ["strict"]
    assert given["CapabilityBoundingSet"] == [""]
    for name in ("DynamicUser", "NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices"):
        assert given[name] == ["yes"]
    assert given["StateDirectoryMode"] == ["0700"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_finds_no_fault_in_the_service(tmp_path: Path) -> None:
    program = tmp_path / "hearts"
    program.touch(mode=0o755)
    unit = tmp_path / "hearts.service"
    unit.write_text(UNIT.replace("/opt/hearts/bin/hearts", str(program)), encoding="utf-8")
    verify = ["systemd-analyze", "verify", "--man=no", str(unit)]
    checked = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_container_starts_a_server_and_asks_for_its_health_as_that_can_be_done() -> None:
    assert steps("ENTRYPOINT") == ['["hearts"]']
    (health,) = re.findall(r"CMD (\[.*\])", steps("HEALTHCHECK")[0])
    (start,) = steps("CMD")
    program, *words = json.loads(health)
    assert program == "hearts"
    require_typeable(words)
    require_typeable(json.loads(start))


def test_the_container_runs_as_somebody_who_owns_nothing_but_the_data() -> None:
    (user,) = steps("USER")
    number, _, group = user.partition(":")
    assert int(number) > 0
    assert int(group) > 0
    assert f"install -d -o {number} -g {group} -m 0700 /data" in CONTAINER
    assert steps("VOLUME") == ["/data"]
    assert "HEARTS_DATA=/data" in steps("ENV")


def test_the_container_is_built_from_all_that_the_wheel_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages: list[str] = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    copied = {word for step in steps("COPY") for word in step.split()[:-1]}
    assert {package.split("/")[0] for package in packages} <= copied
    assert {"pyproject.toml", project["project"]["readme"], "LICENSE"} <= copied
    own = {word for word in copied if not word.startswith(("--from", "/"))}
    assert [name for name in own if not (ROOT / name).exists()] == []
