"""``python -m hearts_cli``: the `hearts` command where no script is installed."""

from hearts_cli.main import main

main(prog_name="hearts")
