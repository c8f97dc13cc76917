"""What the command line complains of, without what it says of compiling for the first time."""


def complaints(stderr: str) -> list[str]:
    return [line for line in stderr.splitlines() if not line.startswith("dwarrow: ")]
