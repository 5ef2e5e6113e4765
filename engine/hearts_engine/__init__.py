"""The rules of Hearts: events, commands, state and views. Pure; standard library only."""
