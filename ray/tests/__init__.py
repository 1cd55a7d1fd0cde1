"""Tests of svc_ray."""
