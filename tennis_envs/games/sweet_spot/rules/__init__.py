"""Sweet Spot's rules, a module a chapter; R and D numbers are those of this game's README."""
