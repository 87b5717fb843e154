"""Which processes there are, as the kernel tells it."""

from pathlib import Path

COMPUTING = "dealer_assist.analysis.laboratory"


def children(pid: int, running: str = COMPUTING) -> list[int]:
    """The processes that a process has started and that run this program: the laboratory's, unless told otherwise."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue  # it ended meanwhile
        if parent == pid and running.encode() in command:
            found.append(int(folder.name))
    return found


def is_running(pid: int) -> bool:
    """Whether a process is there and is more than a name that nobody asked about since it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
