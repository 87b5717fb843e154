"""What holds for every test: how hard Hypothesis searches, what runs with nothing beside it, and that nobody's own files
are touched."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

# A slow machine must not fail a test that holds, so no search has a deadline.
_PATIENT: Final = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)

# Every run of the tests tries the same examples: a failure belongs to the change that brought it.
settings.register_profile("check", _PATIENT, derandomize=True, max_examples=100)
# The long search tries new ones each time, and many more of them.
settings.register_profile("torture", _PATIENT, max_examples=10_000, stateful_step_count=100)
settings.load_profile("check")


# Where seconds are counted or pictures come at their own rate: a second test beside it would take them away.
_BY_THE_CLOCK: Final = ("browser/", "hardware/", "faults/", "web_ui/", "cli/test_camera", "cli/test_reader")
_BUT_NOT: Final = tuple(
    f"hardware/camera/test_{name}.py"
    for name in ("face", "finder", "games", "laid", "lessons", "recogniser", "steadying", "strangers", "votes")
)


def pytest_itemcollected(item: pytest.Item) -> None:
    path = item.path.relative_to(Path(__file__).parent).as_posix()
    if path.startswith(_BY_THE_CLOCK) and path not in _BUT_NOT:
        item.add_marker(pytest.mark.clock)


@pytest.fixture(scope="session", autouse=True)
def _nobodys_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Data, settings and caches go to a folder of the test run's own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for kind in ("CACHE", "CONFIG", "DATA", "STATE", "RUNTIME"):
            patch.delenv(f"XDG_{kind}_{'DIR' if kind == 'RUNTIME' else 'HOME'}", raising=False)
        yield
