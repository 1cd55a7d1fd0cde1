"""What a submission says of its run."""

from __future__ import annotations

import json

import pytest

from svc_ray.settings import Resources, SettingsError, parse_resources, read_metadata, read_settings

RUN = {"svc_url": "https://cloud.example/v1/runs/job/1/", "svc_token": "claim"}


def told(metadata: object, **more: str) -> dict[str, str]:
    """As Ray tells its entrypoint."""
    return {"RAY_JOB_CONFIG_JSON_ENV_VAR": json.dumps({"runtime_env": {}, "metadata": metadata}), **more}


def test_reads_the_run_from_the_metadata_and_the_machine_from_the_environment() -> None:
    given = {**RUN, "svc_engine": "node", "svc_resources": '{"gpus": 0.5, "memory": null}'}
    settings = read_settings(told(given, SVC_NODE_PACKAGE="svc_node"))
    assert (settings.url, settings.token) == ("https://cloud.example/v1/runs/job/1", "claim")
    assert (settings.engine, settings.node_package) == ("node", "svc_node")
    assert settings.resources == Resources(gpus=0.5)
    assert read_settings(told(RUN)).engine == "auto"


@pytest.mark.parametrize(
    ("environment", "problem"),
    [
        ({}, "lack svc_url"),
        ({"RAY_JOB_CONFIG_JSON_ENV_VAR": "{"}, "is not JSON"),
        (told(None), "lack svc_url"),
        (told({**RUN, "svc_url": "file:///etc"}), "must start with http"),
        (told({"svc_url": RUN["svc_url"]}), "lack svc_token"),
        (told({**RUN, "svc_engine": "abacus"}), "must be one of auto, node, torch"),
    ],
)
def test_says_what_is_wrong(environment: dict[str, str], problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        read_settings(environment)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "must be a JSON object"),
        ('{"tpus": 1}', "unknown field: tpus"),
        ('{"workers": 1.5}', "workers must be a whole number of at least 1"),
        ('{"cpus": true}', "cpus must be a number of at least 0"),
    ],
)
def test_refuses_wrong_resources(text: str, problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        parse_resources(text)


def test_has_no_metadata_outside_of_a_submission() -> None:
    assert read_metadata({}) == {}
