"""The rules, a file a chapter: tiles, dwarfs, ogres, hands, tasks, goals, turn; legal and step."""
