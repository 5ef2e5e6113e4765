"""Logs and texts kept from released versions, which every later version must still understand."""

import json
from pathlib import Path
from typing import Any

import pytest

from hearts_replays import format as files
from hearts_replays.audit import audit_file
from hearts_replays.finding import Kind
from hearts_replays.report import report_json
from hearts_replays.transcript import transcript

GOLDEN = Path(__file__).parent / "golden"
LOGS = sorted(GOLDEN.glob("v*/*.hearts"))


def expected(path: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((path.parent / "expected.json").read_text())[path.stem]
    return told


def test_there_are_logs_of_every_kind() -> None:
    assert {path.stem for path in LOGS} >= {
        "evening",
        "withheld",
        "fixed",
        "early",
        "alone",
        "running",
    }


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_log_of_a_released_version_stays_auditable(path: Path) -> None:
    report = audit_file(path)
    told, then = report_json(report), expected(path)
    for fact in ("accepted", "records", "head", "seal", "deals_recomputed", "cards_played"):
        assert told[fact] == then[fact]
    if path.stem == "running":
        assert report.finding is not None
        assert report.finding.kind is Kind.UNSEALED
    else:
        assert report.clean


@pytest.mark.parametrize("name", ["alone", "withheld"])
def test_a_transcript_stays_as_it_is(name: str) -> None:
    records = files.load(GOLDEN / "v1" / f"{name}.hearts").records
    assert [*transcript(records)] == (GOLDEN / f"{name}.txt").read_text().splitlines()
