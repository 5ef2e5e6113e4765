"""A form: fields to fill in, each a word to choose or a text to type, and a button to be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from hearts_client.celltext import clipped, wrapped
from hearts_client.foyer.page import Done, Frame, Next, window
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import BLANK, Line, Size, joined, line

Words: TypeAlias = Mapping[str, str]
"""What stands in each field, by its name."""


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to fill in."""

    name: str
    label: str
    word: str
    words: tuple[str, ...] = ()
    """What it can be; none: any text."""
    says: str = ""
    secret: bool = False
    """Whether what is typed stays hidden."""

    def after(self, step: int) -> Field:
        """With the word so many further on, round and round."""
        at = self.words.index(self.word) if self.word in self.words else 0
        return replace(self, word=self.words[(at + step) % len(self.words)])


@dataclass(frozen=True, slots=True)
class Told:
    """What a form says about what stands in it."""

    lines: tuple[str, ...] = ()
    trouble: str = ""
    """Why it cannot be done like this; then the button does nothing."""


Judge: TypeAlias = Callable[[Words], Told]

_BUTTON: Final = "button"
_LABEL: Final = 14
_LONGEST: Final = 120
_HINTS: Final = (
    ("Enter", "next, or done"),
    ("Up Down", "move"),
    ("Left Right", "change"),
    ("Esc", "back"),
)


def _nothing(_words: Words) -> Told:
    return Told()


@dataclass(frozen=True, slots=True)
class Form:
    """The fields, one of them or the button under the cursor."""

    title: str
    fields: tuple[Field, ...]
    button: str
    judge: Judge = _nothing
    """Looks at what stands in the fields after every key."""
    cursor: int = 0

    @property
    def words(self) -> Words:
        """What stands in the fields."""
        return {field.name: field.word for field in self.fields}

    def lines(self, size: Size) -> list[Line]:
        """The whole screen."""
        told = self.judge(self.words)
        frame = Frame(self.title, _HINTS, told.trouble)
        rows = [self._field(at, size.columns) for at in range(len(self.fields))]
        rows += [self._button()]
        room = frame.room(size)
        says = [
            line(f"   {part}", "class:log")
            for sentence in told.lines
            for part in wrapped(sentence, size.columns - 5)
        ]
        says = says[: max(0, room - len(rows) - 1)]
        shown = [rows[at] for at in window(self.cursor, len(rows), room)]
        return frame.around([*shown, *([BLANK, *says] if says else [])], size)

    def pressed(self, key: Pressed, size: Size) -> Next[Words]:
        """The form after a key, or what it came to."""
        del size
        count = len(self.fields) + 1
        match key:
            case Key.UP:
                return replace(self, cursor=(self.cursor - 1) % count)
            case Key.DOWN | Key.TAB:
                return replace(self, cursor=(self.cursor + 1) % count)
            case Key.ESCAPE | Key.QUIT:
                return Done(None)
            case _ if self.cursor == len(self.fields):
                return self._on_button(key)
            case Key.ENTER:
                return replace(self, cursor=self.cursor + 1)
            case _:
                return self._with(_typed(self.fields[self.cursor], key))

    def _on_button(self, key: Pressed) -> Next[Words]:
        if key not in {Key.ENTER, Key.SPACE} or self.judge(self.words).trouble:
            return self
        return Done(self.words)

    def _with(self, field: Field) -> Form:
        fields = (*self.fields[: self.cursor], field, *self.fields[self.cursor + 1 :])
        return replace(self, fields=fields)

    def _field(self, at: int, columns: int) -> Line:
        field, here = self.fields[at], at == self.cursor
        word = "*" * len(field.word) if field.secret else field.word
        room = columns - _LABEL - 8
        shown = clipped(word, room) if field.words else word[-room:]
        if field.words:
            value = f"<{shown}>" if here else f" {shown} "
        else:
            value = f" {shown}{'_' if here else ''}"
        fits = len(value) + len(field.says) + _LABEL + 8 <= columns
        return joined(
            line(f" {'>' if here else ' '}{field.label:{_LABEL}}", "class:heading" if here else ""),
            line(f"{value:16}", "class:prompt.yours" if here else "class:prompt"),
            line(f" {field.says}" if fits else "", "class:log"),
        )

    def _button(self) -> Line:
        here = self.cursor == len(self.fields)
        style = "class:cursor" if here else "class:legal"
        return joined(line(" >" if here else "  "), line(f"[ {self.button} ]", style))


def _typed(field: Field, key: Pressed) -> Field:
    if field.words:
        match key:
            case Key.LEFT:
                return field.after(-1)
            case Key.RIGHT | Key.SPACE:
                return field.after(1)
            case str():
                begun = [word for word in field.words if word.startswith(key.lower())]
                later = [w for w in begun if field.words.index(w) > field.words.index(field.word)]
                return replace(field, word=(later or begun or [field.word])[0])
            case _:
                return field
    match key:
        case Key.BACKSPACE:
            return replace(field, word=field.word[:-1])
        case Key.SPACE:
            return replace(field, word=field.word + " ")
        case str() if key.isprintable() and len(field.word) < _LONGEST:
            return replace(field, word=field.word + key)
        case _:
            return field
