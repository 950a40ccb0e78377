"""What Schemathesis cannot read from the description, or does not look for by itself."""

import re
import uuid

import schemathesis
from schemathesis.specs.openapi import checks

# Headers that every answer carries (src/headers.rs).
DEFENCES = {"x-content-type-options", "referrer-policy", "content-security-policy", "cross-origin-resource-policy"}


# OpenAPI cannot say that a body may be empty, as that of a 201 is when nobody wanted a representation: the two checks of
# bodies look at those that are there.


@schemathesis.check
def content_type_of_bodies(ctx, response, case):
    return checks.content_type_conformance(ctx, response, case) if response.content else None


@schemathesis.check
def schema_of_bodies(ctx, response, case):
    return checks.response_schema_conformance(ctx, response, case) if response.content else None


@schemathesis.check
def defences(ctx, response, case):
    missing = DEFENCES - set(response.headers)
    assert not missing, f"without {', '.join(sorted(missing))}"


@schemathesis.check
def errors_repeat_nothing(ctx, response, case):
    """What a visitor typed is in no error: it could be a person's name."""
    if response.status_code >= 400 and isinstance(case.body, (dict, list)):
        records = case.body if isinstance(case.body, list) else [case.body]
        for record in records:
            for value in record.values() if isinstance(record, dict) else []:
                # Shorter ones stand in the answer by chance.
                if isinstance(value, str) and len(value) > 8:
                    assert value.encode() not in response.content, "the error repeats what was sent"


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """A key belongs to one inquiry: each that is valid is made one of its own, of the same length where it is long."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,255}", key):
        own = uuid.uuid4().hex
        case.headers["Idempotency-Key"] = (key[: -len(own)] if len(key) > 2 * len(own) else key) + own
