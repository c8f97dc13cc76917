"""A game at the terminal: the record of it, choices in words, and the conversation."""
