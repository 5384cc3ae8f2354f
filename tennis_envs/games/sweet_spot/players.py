"""The scripted player."""
PLAYERS = {}
