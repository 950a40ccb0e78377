import assert from "node:assert/strict";
import { test } from "node:test";
import { PostgrestClient } from "@supabase/postgrest-js";
import { RECORD as ANSWERS } from "./support/inquiries.ts";
import { startSite } from "./support/site.ts";
import { useSite } from "./support/stage.ts";

/** PostgREST's official client, unmodified, as the operator's other programs use it. */
let client: PostgrestClient;

const RECORD = {
  created_at: new Date(Date.now() - 60_000).toISOString(),
  ...ANSWERS,
  types_of_problems: "nesting,noise",
};

const stage = useSite(startSite, ({ site }) => {
  client = new PostgrestClient(`${site.url}/rest/v1`, {
    headers: { apikey: "public", Authorization: "Bearer public" },
  });
});

test("insert stores a one-element array", async () => {
  const { error, status, data } = await client.from("inquiries").insert([RECORD]);
  assert.equal(error, null);
  assert.equal(status, 201);
  assert.equal(data, null);
  const { id, ...stored } = (await stage.site.stored()).at(-1) ?? {};
  assert.match(id ?? "", /^[0-9a-f-]{36}$/);
  assert.deepEqual(stored, RECORD);
});

test("insert with select returns what was stored: in an array, as one object, or only the named columns", async () => {
  const stored = async () => (await stage.site.stored()).at(-1);
  const all = await client.from("inquiries").insert([RECORD]).select();
  assert.deepEqual([all.error, all.data], [null, [await stored()]]);
  const one = await client.from("inquiries").insert(RECORD).select().single();
  assert.deepEqual([one.error, one.data], [null, await stored()]);
  const named = await client.from("inquiries").insert(RECORD).select("id, postal_code").single();
  assert.deepEqual([named.error, named.data], [null, { id: (await stored())?.id, postal_code: "20095" }]);
});

test("a rejected record becomes an error in the client", async () => {
  const before = await stage.site.stored();
  const { error, status } = await client.from("inquiries").insert([{ ...RECORD, postal_code: "80331" }]);
  assert.equal(status, 400);
  assert.equal(error?.message, "Bitte geben Sie eine gültige Hamburger Postleitzahl ein");
  assert.deepEqual(await stage.site.stored(), before);
});
