"""Checks that Schemathesis cannot derive from the description or does not run by default."""

import re
import uuid

import schemathesis
from schemathesis.specs.openapi import checks

# Headers of every response (src/site/http/headers.rs).
SECURITY_HEADERS = {"x-content-type-options", "referrer-policy", "content-security-policy", "cross-origin-resource-policy"}


# OpenAPI cannot express that a body may be empty, like that of a 201 to a client that asked for no representation. Both checks
# of bodies therefore skip empty ones.


@schemathesis.check
def content_type_of_bodies(ctx, response, case):
    return checks.content_type_conformance(ctx, response, case) if response.content else None


@schemathesis.check
def schema_of_bodies(ctx, response, case):
    return checks.response_schema_conformance(ctx, response, case) if response.content else None


@schemathesis.check
def security_headers(ctx, response, case):
    missing = SECURITY_HEADERS - set(response.headers)
    assert not missing, f"missing: {', '.join(sorted(missing))}"


@schemathesis.check
def errors_do_not_echo_input(ctx, response, case):
    """An error never repeats what a visitor typed: it could be a person's name."""
    if response.status_code >= 400 and isinstance(case.body, (dict, list)):
        records = case.body if isinstance(case.body, list) else [case.body]
        for record in records:
            for value in record.values() if isinstance(record, dict) else []:
                # Shorter values may appear in the response by chance.
                if isinstance(value, str) and len(value) > 8:
                    assert value.encode() not in response.content, "the error repeats the input"


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Makes every valid key unique, because a key belongs to one inquiry. Long keys keep their length."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,255}", key):
        own = uuid.uuid4().hex
        case.headers["Idempotency-Key"] = (key[: -len(own)] if len(key) > 2 * len(own) else key) + own
