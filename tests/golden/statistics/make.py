"""Writes expected.json: what numpy and scipy say about the data sets below.

Run from anywhere: python3 tests/golden/statistics/make.py
"""

import json
import platform
from pathlib import Path

import numpy
import scipy
from scipy import stats


def half_width(values):
    """95% half-width of the mean: Student's t up to 31 values, z = 1.96 above."""
    count = len(values)
    critical = stats.t.ppf(0.975, count - 1) if count <= 31 else 1.96
    return float(critical * numpy.std(values, ddof=1) / numpy.sqrt(count))


def summary(values):
    several = len(values) > 1
    return {
        "count": len(values),
        "mean": float(numpy.mean(values)),
        "halfWidth": half_width(values) if several else None,
        "standardDeviation": float(numpy.std(values, ddof=1)) if several else None,
        "variance": float(numpy.var(values, ddof=1)) if several else None,
        "p90": float(numpy.percentile(values, 90)),
        "p95": float(numpy.percentile(values, 95)),
    }


random = numpy.random.default_rng(7)
thousand = [round(float(value), 5) for value in random.lognormal(0.5, 0.8, 1000)]

DATA_SETS = {
    "1 to 5": [1, 2, 3, 4, 5],
    "1 to 5 shuffled": [4, 1, 5, 3, 2],
    "1 to 31": list(range(1, 32)),
    "1 to 32": list(range(1, 33)),
    "1 to 32 shuffled": [int(value) for value in random.permutation(range(1, 33))],
    "a single value": [2.75],
    "two equal values": [0.1, 0.1],
    "two values": [0.1, 0.7],
    "negative values": [-3.5, -0.25, -8, -1.125, -2],
    "values around zero": [-2, -1, 0, 1, 2, 0],
    "repeated values": [2, 2, 2, 7, 7, 2, 2, 7, 2, 2, 2, 2],
    "thirty-one repeated values": [0.375] * 31,
    "tiny values": [3e-12, 1e-12, 5e-12, 2.5e-12, 4e-12, 9e-12],
    # Every value and the mean are exact doubles, so that only a stable algorithm gets the variance.
    "tiny spread on a big offset": [1024 + k * 2.0**-40 for k in (4, 7, 13, 16)],
    "unit spread on a huge offset": [1e9 + k for k in (4, 7, 13, 16)],
    "large values": [3e120, 1e120, 2e120],
    # The two forms of numpy's interpolation differ in the last digit of p90 here, above and below the middle.
    "p90 past the middle of its gap": [2.49, 4.87],
    "p90 before the middle of its gap": [0.2, 0.4, 1.96, 2.69, 2.75, 4.63, 6.58],
    "a falling loss": [round(float(3 * numpy.exp(-k / 20) + 0.4), 6) for k in range(60)],
    "a thousand pseudo-random values": thousand,
}

expected = {
    "versions": {
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
    },
    "tCritical95": [float(stats.t.ppf(0.975, freedom)) for freedom in range(1, 31)],
    "dataSets": [
        {"name": name, "values": values, "expected": summary(numpy.array(values, dtype=float))}
        for name, values in DATA_SETS.items()
    ],
}

target = Path(__file__).with_name("expected.json")
target.write_text(json.dumps(expected, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n")
