"""What every game stands on: records, streams, dispatch, positions, environments."""
