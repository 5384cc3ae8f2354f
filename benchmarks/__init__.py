"""What the suite promises, measured."""
