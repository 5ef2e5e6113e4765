"""Past games: a list, and each as text, audited, or in a file."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from pathlib import Path

from hearts_cli.export import write
from hearts_cli.failures import BadInput
from hearts_cli.front.hall import Hall
from hearts_cli.games import games_in
from hearts_cli.keyring import known_keys
from hearts_cli.replays import opened_at, standings
from hearts_client.foyer.listing import Listing, Row
from hearts_client.foyer.menu import Item, Menu
from hearts_client.foyer.reader import Reader
from hearts_replays.audit import audit
from hearts_replays.report import report_lines
from hearts_replays.summary import GameSummary
from hearts_replays.transcript import transcript


class Look(Enum):
    """What can be done with a past game."""

    READ = auto()
    AUDIT = auto()
    EXPORT = auto()


_LOOKS = (
    Item("Read it", "hands, passes, every trick, scores", Look.READ),
    Item("Audit it", "the deal, every card, the score, the seal", Look.AUDIT),
    Item("Save it", "as a file to send to someone", Look.EXPORT),
)


async def look_back(hall: Hall) -> None:
    """Choose among finished games until the person goes back."""
    async with games_in(hall.data, None) as games:
        found = [game for game in await games.summaries() if game.sealed]
        listing = Listing(
            "Past games",
            ("when", "table", "rules", "deals", "points"),
            tuple(_row(game) for game in found),
            empty="no game has been played to its end here",
        )
        while (game_id := await hall.foyer.show(listing)) is not None:
            await _look_at(hall, game_id, await games.records(game_id))


def _row(game: GameSummary) -> Row[str]:
    when = opened_at(game).astimezone().strftime("%Y-%m-%d %H:%M")
    return Row((when, game.table, game.rules, str(game.deals), standings(game)), game.game_id)


async def _look_at(hall: Hall, game_id: str, log: Sequence[bytes]) -> None:
    note = ""
    while True:
        look = await hall.foyer.show(Menu(f"Game {game_id[:12]}", _LOOKS, note=note))
        note = ""
        match look:
            case None:
                return
            case Look.READ:
                await hall.foyer.show(Reader("The game", tuple(transcript(log))))
            case Look.AUDIT:
                report = audit(log, known_keys=known_keys(hall.data))
                await hall.foyer.show(Reader("The audit", tuple(report_lines(report))))
            case Look.EXPORT:
                note = _saved(Path.cwd() / f"{game_id[:12]}.hearts", log)


def _saved(path: Path, log: Sequence[bytes]) -> str:
    try:
        write(path, log)
    except BadInput as error:
        return error.message
    return f"saved as {path}"
