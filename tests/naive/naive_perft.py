"""Count legal continuations, as a file of vectors that any other program can check.

Run as a program it writes tests/vectors/perft.txt, or the file named on the command line, always
the same bytes. Its chance is a counter: number k of a seed is the first 8 bytes, big-endian, of
SHA-256 of the text "seed:k", k from 0, and "one of n" is that number modulo n. A list is shuffled
from its end: for i from the last place down to 1, the cards at i and at "one of i + 1" change
places. All that it decides is written out in the lines, so nobody who checks them needs to repeat
it.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

from naive_hearts import Illegal, NaiveGame
from naive_options import CARDS, PRESETS, parse_text
from naive_scores import whole_deck

HEADER = """\
# Counts of legal continuations, made by a naive program from docs/rules.md alone.
# A line is one position of the first deal of a game, in six fields with " | " between them:
#   rules    the text of the rules
#   deck     the shuffled cards, as dealt: card t goes to seat t mod n while all can get one
#   passes   what each seat passes, from seat 0, "/" between seats; "-" when nobody passes
#   centre   the shuffled centre, block s for seat s; "-" when there is none
#   plays    the cards played so far, in order; "-" before the first
#   counts   how many sequences of 1, 2, 3 ... legal plays go on from there; different cards
#            count, twins are the same card. A last 0 says that every sequence has ended the deal.
"""
ENOUGH = 1200
DEEPEST = 14
DEALS = 3
VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "perft.txt"


def _all_but(kept: list[str], packs: int) -> str:
    return ",".join(card for card in CARDS * packs if card not in kept)


# Many hands of nothing but hearts and the queen, and many twins in one trick.
_RED = [c for c in CARDS if c == "2C" or c[1] == "H" or (c[1] == "S" and c[0] not in "234")]
_TALL = [rank + suit for suit in "CDSH" for rank in "TJQKA"]

TEXTS = [
    *PRESETS,
    "black_lady pass_cycle=scatter queen_dump=first_chance",
    "black_lady pass_cycle=shuffle pass_count=4 keep_top_spades=true first_forced=queen",
    "black_lady players=5 kitty=first_trick opening=any_club finish=early",
    "three removed=none kitty=last_trick opening=any_club pass_cycle=right finish=early",
    "cancellation twins=first_wins kitty=last_trick",
    "cancellation players=7 kitty=first_penalty finish=early queen_dump=first_chance",
    "cancellation players=10 opening=low_club pass_cycle=scatter pass_count=9",
    "five opening=eldest first_forced=queen queen_only_lead=free pass_cycle=right2",
    "six pass_cycle=across queen_breaks=true heart_value=court10 bonus=TD:10 finish=early",
    "black_maria first_trick=no_points first_forced=queen must_break=true finish=early",
    "black_maria queen_dump=first_chance pass_count=4 finish=early",
    "omnibus finish=early no_tricks_bonus=5 sun=double pass_cycle=left2",
    f"black_lady removed={_all_but(_RED, 1)}",
    f"black_lady removed={_all_but(_RED, 1)} first_forced=queen pass_cycle=hold",
    f"bicycle removed={_all_but(_RED, 1)} opening=eldest queen_only_lead=free finish=early",
    f"pagat removed={_all_but(_RED, 1)} opening=eldest queen_only_lead=free pass_cycle=hold",
    f"cancellation removed={_all_but(_TALL, 2)} finish=early",
    f"cancellation removed={_all_but(_TALL, 2)} first_trick=any queen_dump=first_chance",
    f"cancellation removed={_all_but(_TALL, 2)} kitty=first_penalty must_break=false finish=early",
    f"cancellation removed={_all_but(_TALL, 2)} last_cancelled=second_of_top_pair",
    f"cancellation removed={_all_but(_TALL, 2)} opening=low_club pass_cycle=shuffle",
    f"cancellation removed={_all_but(_TALL, 2)} twins=first_wins kitty=last_trick finish=early",
]


class Chance:
    """Numbers that follow from a seed alone."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._counter = 0

    def one_of(self, count: int) -> int:
        """Give a number from 0 to below `count`."""
        digest = sha256(f"{self._seed}:{self._counter}".encode()).digest()
        self._counter += 1
        return int.from_bytes(digest[:8], "big") % count

    def shuffled(self, cards: list[str]) -> list[str]:
        """Give the cards in another order."""
        cards = list(cards)
        for i in range(len(cards) - 1, 0, -1):
            j = self.one_of(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards


def counts_from(game: NaiveGame, depths: int = DEEPEST, enough: int = ENOUGH) -> list[int]:
    """Count the sequences of 1, 2, 3 ... legal plays, until one count is enough or 0."""
    counts: list[int] = []
    level = [game]
    while len(counts) < depths:
        level = [one for one in level if one.phase == "playing"]
        counts.append(sum(len(one.legal()) for one in level))
        if counts[-1] > enough or not counts[-1] or len(counts) == depths:
            break
        following: list[NaiveGame] = []
        for one in level:
            for card in one.legal():
                other = one.copied()
                other.play(card)
                following.append(other)
        level = following
    return counts


def _pass_by_chance(game: NaiveGame, chance: Chance) -> list[str]:
    passes: list[str] = []
    for seat in game.to_pass():
        while True:
            cards = chance.shuffled(game.hands[seat])[: game.options.pass_count]
            try:
                game.choose_pass(seat, cards)
            except Illegal:
                continue
            passes.append(" ".join(cards))
            break
    return passes


def lines_of(text: str, deal: int) -> list[str]:
    """Write the lines of one deal: at its start, in its first trick, in its middle and late."""
    chance = Chance(f"{text} {deal}")
    game = NaiveGame(parse_text(text))
    deck = chance.shuffled(whole_deck(game.options))
    game.deal(deck)
    passes = _pass_by_chance(game, chance)
    centre: list[str] = []
    if game.phase == "centre":
        centre = chance.shuffled(game.centre())
        game.share_centre(centre)
    seats = game.options.players
    tricks = len(game.hands[0])
    stops = {0, 1 + chance.one_of(seats - 1)}
    stops.add(seats * (tricks // 2) + chance.one_of(seats))
    stops.add(seats * (tricks - 3) + chance.one_of(seats))
    plays: list[str] = []
    lines: list[str] = []
    while game.phase == "playing":
        if len(plays) in stops:
            fields = [
                text,
                " ".join(deck),
                "/".join(passes) or "-",
                " ".join(centre) or "-",
                " ".join(plays) or "-",
                " ".join(str(count) for count in counts_from(game)),
            ]
            lines.append(" | ".join(fields))
        cards = game.legal()
        plays.append(cards[chance.one_of(len(cards))])
        game.play(plays[-1])
    return lines


def recount(line: str) -> tuple[list[int], list[int]]:
    """Set a line's position up and count again: give the line's counts and our own."""
    text, deck, passes, centre, plays, counts = line.split(" | ")
    game = NaiveGame(parse_text(text))
    game.deal(deck.split())
    for seat, cards in enumerate([] if passes == "-" else passes.split("/")):
        game.choose_pass(seat, cards.split())
    if centre != "-":
        game.share_centre(centre.split())
    for card in [] if plays == "-" else plays.split():
        game.play(card)
    known = [int(count) for count in counts.split()]
    return known, counts_from(game, depths=len(known))


def whole_file() -> str:
    """Write all the lines below their header."""
    lines = [line for text in TEXTS for deal in range(DEALS) for line in lines_of(text, deal)]
    return HEADER + "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else VECTORS
    target.write_text(whole_file(), encoding="utf-8")
