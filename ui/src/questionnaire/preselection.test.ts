import assert from "node:assert/strict";
import { test } from "node:test";
import cases from "../../../tests/cases/preselection.json" with { type: "json" };
import { findProperty } from "../inquiry/options.ts";
import { readPreselection } from "./query.ts";

test("links choose in advance what the server's page chooses, too", () => {
  for (const { query, property, location, why } of cases) {
    const found = readPreselection(new URLSearchParams(query));
    const { type = "", subtype = "" } = found.property ?? {};
    const id = found.property && (findProperty(type, subtype)?.id ?? type);
    assert.deepEqual({ property: id, location: found.location }, { property, location }, `${query}: ${why}`);
  }
});
