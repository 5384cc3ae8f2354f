"""What at least two games share: the contract of a game, chance, scoring, dice, named tables, compiled loops."""
