"""The rules of a table as plain values, their texts and presets, as docs/rules.md lists them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

USUAL_CYCLES: dict[int, tuple[str, ...]] = {
    3: ("left", "right", "hold"),
    4: ("left", "right", "across", "hold"),
    5: ("left", "right", "left2", "right2", "hold"),
    6: ("left", "right", "left2", "right2", "across", "hold"),
    7: ("left", "right", "hold"),
    8: ("left", "right", "hold"),
    9: ("left", "right", "hold"),
    10: ("left", "right", "hold"),
}


@dataclass(frozen=True)
class Options:
    """One value for each option; the defaults are the standard game."""

    players: int = 4
    decks: int = 1
    removed: tuple[str, ...] = ()
    kitty: str = "none"
    pass_count: int = 3
    pass_cycle: tuple[str, ...] = ("left", "right", "across", "hold")
    keep_top_spades: bool = False
    opening: str = "low_club"
    first_trick: str = "no_points"
    first_forced: str = "any"
    must_break: bool = True
    queen_breaks: bool = False
    queen_only_lead: str = "must_lead_queen"
    queen_dump: str = "free"
    twins: str = "cancel"
    last_cancelled: str = "leader"
    heart_value: str = "one"
    queen_value: int = 13
    extra_penalty: tuple[tuple[str, int], ...] = ()
    bonus: tuple[str, int] | None = None
    bonus_floor: bool = False
    no_tricks_bonus: int = 0
    moon: str = "add"
    moon_needs_bonus: bool = False
    sun: str | int = "none"
    target: int = 100
    reach: str = "ge"
    deals: int | None = None
    exact: str = "none"
    tie: str = "extra_hand"
    finish: str = "play_out"


PRESETS: dict[str, Options] = {
    "black_lady": Options(),
    "pagat": Options(first_trick="any"),
    "microsoft": Options(),
    "bicycle": Options(queen_breaks=True),
    "omnibus": Options(bonus=("JD", 10)),
    "spot": Options(heart_value="spot", queen_value=25, target=500),
    "cancellation": Options(
        players=6, decks=2, kitty="first_trick", pass_cycle=("hold",), opening="eldest"
    ),
    "black_maria": Options(
        players=3,
        removed=("2C",),
        pass_cycle=("right",),
        opening="eldest",
        first_trick="any",
        must_break=False,
        extra_penalty=(("KS", 10), ("AS", 7)),
        moon="none",
    ),
    "plain_hearts": Options(
        queen_value=0,
        pass_cycle=("hold",),
        opening="eldest",
        first_trick="any",
        must_break=False,
        moon="none",
    ),
    "three": Options(players=3, removed=("2D",), pass_cycle=USUAL_CYCLES[3]),
    "five": Options(players=5, removed=("2C", "2D"), pass_cycle=USUAL_CYCLES[5]),
    "six": Options(players=6, removed=("3C", "4C", "2D", "3D"), pass_cycle=USUAL_CYCLES[6]),
    "seven": Options(players=7, removed=("3C", "2D", "3D"), pass_cycle=USUAL_CYCLES[7]),
}

CHOICES: dict[str, tuple[str, ...]] = {
    "kitty": ("none", "first_trick", "last_trick", "first_penalty"),
    "opening": ("low_club", "any_club", "eldest"),
    "first_trick": ("no_points", "any"),
    "first_forced": ("any", "queen"),
    "queen_only_lead": ("must_lead_queen", "free"),
    "queen_dump": ("free", "first_chance"),
    "twins": ("cancel", "first_wins"),
    "last_cancelled": ("leader", "second_of_top_pair"),
    "heart_value": ("one", "spot", "face5", "court10"),
    "moon": ("add", "subtract", "choose", "auto", "none"),
    "reach": ("ge", "gt"),
    "exact": ("none", "exact_wins", "exact_minus_50"),
    "tie": ("extra_hand", "shared"),
    "finish": ("play_out", "early"),
}
RANGES: dict[str, tuple[int, int]] = {
    "players": (3, 10),
    "decks": (1, 2),
    "pass_count": (1, 10),
    "queen_value": (0, 100),
    "no_tricks_bonus": (0, 100),
    "target": (1, 1000),
}
SWITCHES = ("keep_top_spades", "must_break", "queen_breaks", "bonus_floor", "moon_needs_bonus")
DIRECTIONS = ("left", "right", "across", "left2", "right2", "hold", "scatter", "shuffle")
CARDS = [rank + suit for suit in "CDSH" for rank in "23456789TJQKA"]


def _whole(text: str, low: int, high: int) -> int:
    number = int(text)
    if not low <= number <= high:
        raise ValueError(f"{number} is not from {low} to {high}.")
    return number


def _one_of(text: str, known: tuple[str, ...] | list[str]) -> str:
    if text not in known:
        raise ValueError(f"{text} is none of {', '.join(known)}.")
    return text


def _card_with_points(text: str) -> tuple[str, int]:
    card, _, points = text.partition(":")
    return _one_of(card, CARDS), _whole(points, 1, 100)


def _parse_value(name: str, text: str) -> Any:
    if name in CHOICES:
        return _one_of(text, CHOICES[name])
    if name in RANGES:
        return _whole(text, *RANGES[name])
    if name in SWITCHES:
        return _one_of(text, ("false", "true")) == "true"
    if name == "removed":
        return () if text == "none" else tuple(_one_of(card, CARDS) for card in text.split(","))
    if name == "pass_cycle":
        return tuple(_one_of(entry, DIRECTIONS) for entry in text.split(","))
    if name == "extra_penalty":
        return () if text == "none" else tuple(_card_with_points(one) for one in text.split(","))
    if name == "bonus":
        return None if text == "none" else _card_with_points(text)
    if name == "sun":
        return text if text in {"none", "double"} else _whole(text, 1, 1000)
    if name == "deals":
        return None if text == "none" else _whole(text, 1, 256)
    raise ValueError(f"There is no option {name}.")


def parse_text(text: str) -> Options:
    """Read the name of a preset and then overrides in any order."""
    preset, *overrides = text.split()
    if preset not in PRESETS:
        raise ValueError(f"There is no preset {preset}.")
    start = PRESETS[preset]
    values: dict[str, Any] = {}
    for override in overrides:
        name, equals, value = override.partition("=")
        if not equals or name in values:
            raise ValueError(f"{override} is not an override, or the second of its name.")
        values[name] = _parse_value(name, value)
    own_cycle = preset in {"cancellation", "black_maria", "plain_hearts"}
    if "players" in values and "pass_cycle" not in values and not own_cycle:
        values["pass_cycle"] = USUAL_CYCLES[values["players"]]
    options = replace(start, **values)
    reason = refusal(options)
    if reason is not None:
        raise ValueError(reason)
    return options


def refusal(options: Options) -> str | None:
    """Say why these rules cannot be played, or nothing if they can."""
    for card in set(options.removed):
        if options.removed.count(card) > options.decks:
            return f"{card} is removed more often than there are packs."
    deck_size = 52 * options.decks - len(options.removed)
    hand, left_over = divmod(deck_size, options.players)
    if left_over and options.kitty == "none":
        return "The cards do not divide among the seats."
    return _card_refusal(options) or _other_refusal(options, hand, left_over)


def _card_refusal(options: Options) -> str | None:
    extra = [card for card, _ in options.extra_penalty]
    if "QS" in options.removed and options.queen_value:
        return "A queen that scores may not be removed."
    if any(card in options.removed for card in extra):
        return "A card with a penalty of its own may not be removed."
    if options.bonus and options.bonus[0] in options.removed:
        return "The bonus card may not be removed."
    hearts_left = 13 * options.decks - sum(1 for card in options.removed if card[1] == "H")
    if not hearts_left and not options.queen_value and not extra:
        return "Some card must cost points."
    if any(card == "QS" or card[1] == "H" for card in extra) or len(set(extra)) < len(extra):
        return "Extra penalties name neither hearts nor the queen, and no card twice."
    if options.bonus:
        card = options.bonus[0]
        if card[1] == "H" or card in extra or (card == "QS" and options.queen_value):
            return "The bonus card may not cost points."
    return None


def _other_refusal(options: Options, hand: int, left_over: int) -> str | None:
    cycle = options.pass_cycle
    if not 1 <= len(cycle) <= 20:
        return "A pass cycle has 1 to 20 entries."
    if "across" in cycle and options.players % 2:
        return "Nobody sits opposite at an odd table."
    if options.pass_count > hand:
        return "A pass is larger than the hand."
    if "scatter" in cycle:
        if options.pass_count != options.players - 1:
            return "Scatter passes one card to each other seat."
    elif options.pass_count > 4:
        return "At most 4 cards are passed."
    clubs = 13 * options.decks - sum(1 for card in options.removed if card[1] == "C")
    if options.opening != "eldest" and clubs <= left_over:
        return "The kitty could hold every club."
    if options.moon_needs_bonus and (options.bonus is None or options.moon == "none"):
        return "A moon that needs the bonus needs both."
    if options.sun != "none" and options.moon == "none":
        return "There is no sun without a moon."
    if options.exact != "none" and options.deals is not None:
        return "Landing on a target needs a game to a target."
    return None
