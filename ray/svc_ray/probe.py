"""`python -m svc_ray.probe`: whether this Python can train, and on which device. Prints one JSON object. Any Python 3
runs it, so that one that is too old can be told so."""

from __future__ import annotations

import json
import platform
import sys

LEAST_PYTHON = (3, 11)


def main() -> int:
    # Libraries write to stdout, too; their output goes to stderr.
    output, sys.stdout = sys.stdout, sys.stderr
    if sys.version_info < LEAST_PYTHON:
        least = ".".join(map(str, LEAST_PYTHON))
        found: dict[str, str | None] = {
            "problem": f"Python {platform.python_version()} is too old: svc needs {least} or later."
        }
    else:
        from .torch_facts import find_torch_facts

        found = find_torch_facts()
    output.write(json.dumps({"python": sys.executable, "version": platform.python_version(), **found}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
