"""docs/operations.md names every entry, field and metric that there is, and none besides."""

from __future__ import annotations

import re
from pathlib import Path

from hearts_server.logbook import FIELDS, Entry
from hearts_server.meters import Meters
from hearts_server.metrics import ServerMetrics
from hearts_server.notices import Cause
from hearts_server.visit import DROPPED

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")


def first_cells(heading: str) -> list[str]:
    """The names in the first column of the table that begins so."""
    rows = PAGE[PAGE.index(f"| {heading} |") :].split("\n\n")[0].splitlines()[2:]
    return [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]


def test_every_entry_of_the_log_is_there_once() -> None:
    assert sorted(first_cells("entry")) == sorted(Entry)


def test_every_field_of_the_log_is_there_once() -> None:
    assert sorted(first_cells("field")) == sorted(FIELDS)


def test_every_way_in_which_a_stream_ends_is_there() -> None:
    (row,) = re.findall(r"^\| `attached`, `detached` .*$", PAGE, re.MULTILINE)
    reasons = re.findall(r"`(\w+)`", row.partition("`reason` is")[2])
    assert sorted(reasons) == sorted([DROPPED, *(cause.name.lower() for cause in Cause)])


def test_every_metric_is_there_once_with_its_kind() -> None:
    suffix = {"counter": "_total"}
    told = {
        metric.name + suffix.get(metric.type, ""): metric.type
        for metric in ServerMetrics(Meters(), dict).collect()
    }
    rows = re.findall(r"^\| `(hearts_\w+)` \| (\w+) \|", PAGE, re.MULTILINE)
    assert len(rows) == len(told)
    assert dict(rows) == told
