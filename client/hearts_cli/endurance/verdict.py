"""Whether the logs are what their seats were told, to the last record and acknowledgement."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hearts_cli.endurance.witness import Account, accounts_in
from hearts_engine.audience import visible_to
from hearts_engine.events import SeatsFrozen
from hearts_replays.archive import Archive
from hearts_replays.audit import audit
from hearts_replays.prompts import duties_of
from hearts_replays.reader import read_log
from hearts_replays.receipts import check
from hearts_wire.records import Record


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of everything that was played and promised."""

    games: int
    """Begun and over, with a log that audits clean and agrees with its seats, or a fault."""
    never_begun: int
    """Opened, and never started: nobody was dealt anything."""
    acknowledgements: int
    records: int
    faults: Sequence[str]


def verdict_on(data: Path, notes: Path) -> Verdict:
    """Hold the logs of a data folder against what their seats wrote down."""
    told = defaultdict[str, list[Account]](list)
    for account in accounts_in(notes):
        told[account.receipts.game_id].append(account)
    with Archive.open(data) as archive:
        logs = {game: archive.records(game) for game in archive.games()}
    return judge(logs, told)


def judge(logs: Mapping[str, Sequence[bytes]], told: Mapping[str, Sequence[Account]]) -> Verdict:
    """Hold logs, by game, against what their seats were told."""
    faults, counts = list[str](), Counter[str]()
    for game in told.keys() - logs.keys():
        faults.append(f"game {game}: seats were told of it, and it has no log")
    for game, log in logs.items():
        records = read_log(log).records
        if not any(isinstance(record.event, SeatsFrozen) for record in records):
            counts["never begun"] += 1
            if not any(account.done for account in told.get(game, ())):
                continue
        counts["games"] += 1
        counts["records"] += len(log)
        counts["done"] += sum(len(account.done) for account in told.get(game, ()))
        faults += [f"game {game}: {fault}" for fault in _faults(log, records, told.get(game, ()))]
    return Verdict(
        counts["games"], counts["never begun"], counts["done"], counts["records"], faults
    )


def _faults(
    log: Sequence[bytes], records: Sequence[Record], told: Sequence[Account]
) -> Iterator[str]:
    report = audit(log)
    if report.finding is not None:
        yield f"audit: {report.finding}"
    for account in told:
        seat = f"seat {account.seat}"
        finding = check(account.receipts, log)
        if finding is not None:
            yield f"{seat}: {finding}"
        yield from (f"{seat}: {fault}" for fault in _not_shown_once(records, account))
        yield from (f"{seat}: {fault}" for fault in _not_done_once(records, account))


def _not_shown_once(records: Sequence[Record], account: Account) -> Iterator[str]:
    """What is missing, comes twice or out of order in what a seat was shown.

    The end may be missing: a seat that was away when the next game began fetches the log.
    """
    visible = [r.seq for r in records if visible_to(account.seat, r.event)]
    for place, (shown, expected) in enumerate(zip(account.shown, visible, strict=False)):
        if shown != expected:
            before = account.shown[max(0, place - 3) : place]
            yield f"was shown record {shown} where {expected} was due, after {before}"
            return
    if len(account.shown) > len(visible):
        yield f"was shown {len(account.shown)} records of {len(visible)}"


def _not_done_once(records: Sequence[Record], account: Account) -> Iterator[str]:
    """What was acknowledged and is not in the log exactly once."""
    deeds = duties_of(account.seat, records, len(records)).deeds
    for command, prompt in account.done:
        found = [deed.seq for deed in deeds if deed.prompt_seq == prompt and not deed.done_for]
        became = [deed for deed in deeds if deed.seq in found and deed.became_of(command)]
        if len(found) != 1 or len(became) != 1:
            yield f"{command} at prompt {prompt} was acknowledged, the log has it at {found}"
    prompts = Counter(prompt for _, prompt in account.done)
    yield from (f"prompt {prompt} was settled twice" for prompt, n in prompts.items() if n > 1)
