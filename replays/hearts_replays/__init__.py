"""Logs of games: stores, the hash chain, fair dealing, audit and transcripts."""
