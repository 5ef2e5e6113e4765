"""The `hearts` command."""
