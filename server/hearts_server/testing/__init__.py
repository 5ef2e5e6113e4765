"""Support for tests of what talks to a table server: time, chance, stores and callers in hand."""
