"""Fair dealing, version 1: secrets, entropy, seeds and shuffles that anyone can recompute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Final, NamedTuple

from hearts_engine.cards import Card
from hearts_engine.events import Anchor, DealSource, EntropyRevealed, FixedSeed, GameOpened
from hearts_engine.soundness import MOST_DEALS
from hearts_engine.state import Game
from hearts_replays.framing import digest, label, lp, u32, u64

SECRET_SIZE: Final = 32
"""Bytes of a secret, an anchor, and of the entropy that a seat brings."""

_ENTROPY: Final = label("hearts-deal/v1/entropy")
_SEED: Final = label("hearts-deal/v1/seed")
_FIXED: Final = label("hearts-deal/v1/fixed")
_STREAM: Final = label("hearts-deal/v1/stream")
_CENTRE: Final = label("hearts-deal/v1/centre")


class Dealt(NamedTuple):
    """A deck dealt out; cards in the order they came."""

    hands: tuple[tuple[Card, ...], ...]
    """By seat."""
    kitty: tuple[Card, ...]
    """What could not be divided evenly."""


def secret_of(top: bytes, deal: int) -> bytes:
    """The secret behind a deal, in the chain that was drawn from its top, ``s_256``."""
    return _hashed(top, MOST_DEALS - _checked(deal))


def anchor_of(top: bytes) -> bytes:
    """The other end of the chain, ``s_0``, which is published before anyone commits."""
    return _hashed(top, MOST_DEALS)


def proves(secret: bytes, before: bytes) -> bool:
    """Whether a revealed secret comes right after this one, or after the anchor, in a chain."""
    return len(secret) == SECRET_SIZE and digest(secret) == before


def fixed_secret(text: str, deal: int) -> bytes:
    """What stands for the secret of a deal where the seed is fixed."""
    return digest(_FIXED, lp(text.encode()), u32(deal))


def secret_for(source: DealSource, top: bytes, deal: int) -> bytes:
    """The secret behind a deal; ``top`` is of no account where the seed is fixed."""
    match source:
        case Anchor():
            return secret_of(top, deal)
        case FixedSeed(text):
            return fixed_secret(text, deal)


def commit(entropy: bytes) -> bytes:
    """The commitment to a seat's entropy, 32 bytes."""
    return digest(_ENTROPY, lp(entropy))


def entropies_of(game: Game) -> tuple[bytes, ...]:
    """What each seat puts into the seed, by seat.

    That is the entropy it revealed; its commitment if it withheld that; nothing if it never
    committed. Nobody can be owing any more.
    """
    assert not game.owing, f"seats {game.owing} have neither revealed nor withheld their entropy"
    return tuple(
        answer.entropy
        if isinstance(answer, EntropyRevealed)
        else (taken.commitment if taken else b"")
        for taken, answer in zip(game.seats, game.entropy, strict=True)
    )


def deal_seed(name: str, deal: int, secret: bytes, entropies: Sequence[bytes]) -> bytes:
    """The seed of a deal, 32 bytes; ``name`` is the game's id, or the text of a fixed seed."""
    return digest(_SEED, lp(name.encode()), u32(deal), lp(secret), *map(lp, entropies))


def seed_for(opened: GameOpened, deal: int, secret: bytes, entropies: Sequence[bytes]) -> bytes:
    """The seed of a deal of this game; where it is fixed, nobody's entropy counts."""
    assert len(entropies) == opened.rules.players, "one entropy a seat, empty for none"
    match opened.source:
        case Anchor():
            return deal_seed(opened.game_id, deal, secret, entropies)
        case FixedSeed(text):
            return deal_seed(text, deal, secret, (b"",) * opened.rules.players)


def deck_for(
    opened: GameOpened, deal: int, secret: bytes, entropies: Sequence[bytes]
) -> tuple[Card, ...]:
    """The shuffled deck of a deal of this game, the first card to be dealt first."""
    return shuffle(opened.rules.deck, seed_for(opened, deal, secret, entropies))


def shuffle(deck: Sequence[Card], seed: bytes) -> tuple[Card, ...]:
    """The deck in the order in which this seed deals it.

    It is given in index order; of two packs, the whole of one and then the whole of the other.
    """
    return _shuffled(deck, _stream(_STREAM, seed))


def deal_out(deck: Sequence[Card], players: int) -> Dealt:
    """Card t to seat t mod n while every seat can still get one more; the rest is the kitty."""
    dealt = len(deck) - len(deck) % players
    hands = tuple(tuple(deck[seat:dealt:players]) for seat in range(players))
    return Dealt(hands, tuple(deck[dealt:]))


def centre_for(
    opened: GameOpened,
    deal: int,
    secret: bytes,
    entropies: Sequence[bytes],
    centre: Sequence[Card],
) -> tuple[Card, ...]:
    """The passed cards of a deal of this game, shuffled: seat s takes block s."""
    return centre_shuffle(centre, seed_for(opened, deal, secret, entropies))


def centre_shuffle(centre: Sequence[Card], seed: bytes) -> tuple[Card, ...]:
    """The passed cards in the order in which this seed, that of the deal, shares them out.

    They are given by seat, then in index order.
    """
    return _shuffled(centre, _stream(_CENTRE, seed))


def _checked(deal: int) -> int:
    assert 1 <= deal <= MOST_DEALS, f"deals are counted from 1 to {MOST_DEALS}, not {deal}"
    return deal


def _hashed(secret: bytes, times: int) -> bytes:
    assert len(secret) == SECRET_SIZE, f"a secret has {SECRET_SIZE} bytes, not {len(secret)}"
    for _ in range(times):
        secret = sha256(secret).digest()
    return secret


def _stream(name: bytes, seed: bytes) -> Iterator[int]:
    """Bytes without end, 32 at a time from a counter."""
    for counter in count():
        yield from digest(name, seed, u64(counter))


def _shuffled(cards: Sequence[Card], stream: Iterator[int]) -> tuple[Card, ...]:
    deck = list(cards)
    for last in range(len(deck) - 1, 0, -1):
        chosen = _below(last + 1, stream)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return tuple(deck)


def _below(bound: int, stream: Iterator[int]) -> int:
    """A number from 0 up to ``bound``, each as likely: a byte that would favour some is skipped."""
    fair = 256 - 256 % bound
    return next(byte for byte in stream if byte < fair) % bound
