"""The rules by chapter: coins, bids, army, cognars, eras, turn; `turn` ties them together."""
