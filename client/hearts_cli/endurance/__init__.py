"""Games under hardship: bots that play on through it, and what must hold afterwards."""
