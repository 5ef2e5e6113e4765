"""The Bot protocol and the house bots."""
