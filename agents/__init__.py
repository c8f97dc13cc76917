"""Things that choose actions: random, rules of thumb, tree search, networks."""
