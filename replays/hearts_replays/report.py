"""What an audit tells: how far a log holds, who signed it, who decided what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from hearts_engine.cards import Seat
from hearts_engine.events import Agent
from hearts_engine.ruletext import format_rules
from hearts_engine.state import Game, State
from hearts_replays.absences import Attendance
from hearts_replays.dealing import Dealing
from hearts_replays.finding import Finding, Kind
from hearts_replays.fingerprint import fingerprint, short_head
from hearts_replays.wording import close_words, counted, plain, seat_name

_SIGNABLE: Final = (Kind.RECORD, Kind.FAIRNESS, Kind.RULES, Kind.TIME)
"""What can be wrong with records that are just as they were signed."""


@dataclass(frozen=True, slots=True)
class Seal:
    """A signature that holds, whatever else is wrong with what it signs."""

    seq: int
    """The record it is in; it covers those before."""
    public_key: bytes
    known: bool
    """Whether it is a key that whoever asked for the audit has met before."""


@dataclass(frozen=True, slots=True)
class Report:
    """The valid prefix of a log, and the first thing wrong with it, if anything is."""

    state: State | None
    """After the records accepted; none if not even the first was."""
    records: int
    """How many there are."""
    accepted: int
    """How many follow from those before."""
    head: bytes
    """The head after the records accepted, 32 bytes."""
    finding: Finding | None
    """The fault in the earliest record."""
    seal: Seal | None
    """None where there is none, or none that holds."""
    seal_fault: Finding | None
    """What is wrong with the seal there is: it does not hold, or is not by the key asked for."""
    recomputed: tuple[int, ...]
    """The deals dealt again from what was revealed."""
    unrevealed: tuple[int, ...]
    """The deals of which it is only known that the cards together are the deck."""
    played: tuple[Counter[Agent], ...]
    """By seat: how many of its cards were played by whom."""
    passed: tuple[Counter[Agent], ...]
    """By seat: how many of its passes were chosen by whom."""
    moons: tuple[Counter[Agent], ...]
    """By seat: how many of its moons were left to whom to score."""
    attendance: Attendance = Attendance()
    """Who was there in the records accepted."""

    def with_finding(self, finding: Finding | None) -> Report:
        """The same with this finding in place of its own."""
        return replace(self, finding=finding)

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong."""
        return self.finding is None

    @property
    def proof(self) -> bool:
        """Whether what is wrong was signed as it is: proof against whoever holds the key."""
        finding, seal = self.finding, self.seal
        if finding is None or seal is None:
            return False
        return finding.kind in _SIGNABLE and finding.seq <= seal.seq

    @property
    def unsealed(self) -> bool:
        """Whether all that is wrong is that the game runs, or was abandoned."""
        return self.finding is not None and self.finding.kind is Kind.UNSEALED


def report_lines(report: Report) -> Iterator[str]:
    """A report for people, line by line, the verdict first."""
    yield _verdict(report)
    if report.state is not None or report.seal is not None:
        yield _sealed(report)
    if report.state is not None:
        yield from _game_lines(report, report.state.game)


def _game_lines(report: Report, game: Game) -> Iterator[str]:
    opened = game.opened
    yield f"game {plain(opened.game_id)} at table {plain(opened.table)}: {format_rules(game.rules)}"
    yield f"dealing: {Dealing.of(game)}"
    if opened.open_hands:
        yield "hands: open to whoever watched"
    if report.recomputed:
        yield f"deals dealt again from what was revealed: {_range(report.recomputed)}"
    if report.unrevealed:
        yield f"deals whose secret is not revealed: {_range(report.unrevealed)}"
    for seat, agents in enumerate(report.played):
        if agents:
            yield f"{seat_name(Seat(seat), game.rules.players)}: cards played {_agents(agents)}"
    for what, counts in (("passes", report.passed), ("moons", report.moons)):
        for seat, agents in enumerate(counts):
            if agents.total() > agents[Agent.SEAT]:
                name = seat_name(Seat(seat), game.rules.players)
                yield f"{name}: {what} chosen {_agents(agents)}"
    yield from report.attendance.lines(game.rules.players)
    if game.closed is not None:
        yield f"given up, {close_words(game.closed.cause)}: nobody wins"
    yield f"head after record {report.accepted}: {short_head(report.head)}"


def report_json(report: Report) -> dict[str, object]:
    """A report for machines, of types that ``json`` writes."""
    told: dict[str, object] = {
        "clean": report.clean,
        "unsealed": report.unsealed,
        "records": report.records,
        "accepted": report.accepted,
        "head": report.head.hex(),
        "short_head": short_head(report.head),
        "finding": None if report.finding is None else _finding_json(report.finding),
        "seal": None if report.seal is None else _seal_json(report.seal),
        "seal_fault": None if report.seal_fault is None else _finding_json(report.seal_fault),
        "proof": report.proof,
    }
    if report.state is not None:
        told |= _game_json(report, report.state.game)
    return told


def _game_json(report: Report, game: Game) -> dict[str, object]:
    dealing = Dealing.of(game)
    return {
        "game_id": game.opened.game_id,
        "table": game.opened.table,
        "rules": format_rules(game.rules),
        "dealing": {
            "fixed_seed": dealing.fixed,
            "revealed": list(dealing.revealed),
            "withheld": list(dealing.withheld),
            "sentence": str(dealing),
        },
        "open_hands": game.opened.open_hands,
        "deals_recomputed": list(report.recomputed),
        "deals_unrevealed": list(report.unrevealed),
        "cards_played": _counts_json(report.played),
        "passes_chosen": _counts_json(report.passed),
        "moons_chosen": _counts_json(report.moons),
        **report.attendance.json(),
        "closed": None if game.closed is None else game.closed.cause.value,
    }


def _counts_json(counts: tuple[Counter[Agent], ...]) -> list[dict[str, int]]:
    return [{agent.value: agents[agent] for agent in Agent} for agents in counts]


def _finding_json(finding: Finding) -> dict[str, object]:
    return {"seq": finding.seq, "kind": finding.kind.value, "sentence": finding.sentence}


def _seal_json(seal: Seal) -> dict[str, object]:
    key = seal.public_key
    return {"public_key": key.hex(), "fingerprint": fingerprint(key), "known": seal.known}


def _verdict(report: Report) -> str:
    if report.finding is None:
        return f"clean: {counted(report.records, 'record')}"
    return str(report.finding)


def _sealed(report: Report) -> str:
    if report.seal is None:
        if report.seal_fault is None:
            return "no seal: nobody signed this log as it stands"
        return "no seal that holds: this is not what was signed, so it proves nothing of the server"
    known = "known here" if report.seal.known else "not known here"
    asked = "" if report.seal_fault is None else ", not the key asked for"
    proof = ": signed as it is, what is wrong included" if report.proof else ""
    return f"sealed by {fingerprint(report.seal.public_key)}, {known}{asked}{proof}"


def _range(deals: tuple[int, ...]) -> str:
    return str(deals[0]) if len(deals) == 1 else f"{deals[0]} to {deals[-1]}"


def _agents(agents: Counter[Agent]) -> str:
    return ", ".join(f"{agents[agent]} by {_NAMES[agent]}" for agent in Agent if agents[agent])


_NAMES = {Agent.SEAT: "itself", Agent.CLOCK: "the clock", Agent.AUTOPILOT: "autopilot"}
