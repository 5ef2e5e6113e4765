"""What every test runs under."""

import os

from hypothesis import HealthCheck, settings

# Whoever runs the tests may have settings of their own.
for name in [name for name in os.environ if name.startswith("HEARTS_")]:
    if name not in {"HEARTS_WRITE_GOLDEN", "HEARTS_TIMES"}:
        del os.environ[name]
os.environ["HEARTS_CONFIG"] = os.devnull


def pytest_xdist_auto_num_workers() -> int:
    """Two for each core: tests that start programs wait for them most of the time."""
    return 2 * (os.cpu_count() or 1)


settings.register_profile(
    "repeatable",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")
