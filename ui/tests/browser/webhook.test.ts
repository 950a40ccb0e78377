import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { startSite } from "./support/site.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const RECORD = {
  created_at: new Date(Date.now() - 60_000).toISOString(),
  postal_code: "20095",
  property_type: "residential",
  types_of_problems: "nesting,noise",
  problem_locations: "balcony",
  first_name: "Änne",
  last_name: "Groß",
  email_address: "aenne@example.de",
  phone_number: "+49 40 1234567",
};

interface Call {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The reference library of Standard Webhooks judges what the server sends. */
test("a webhook is signed as the standard has it", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "taubenabwehr-webhook-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  let resolve: (call: Call) => void = () => {};
  const promise = new Promise<Call>((called) => {
    resolve = called;
  });
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    response.writeHead(204).end();
    resolve({ headers: request.headers, body });
  });
  t.after(() => receiver.close());
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  const { port } = receiver.address() as AddressInfo;
  await writeFile(join(folder, "secret"), `${SECRET}\n`);
  const config = join(folder, "config.toml");
  await writeFile(config, `[notify]\nwebhook = "http://127.0.0.1:${port}/hook"\nwebhook_secret_file = "secret"\n`);
  const site = await startSite("--config", config);
  t.after(() => site.stop());
  const answer = await fetch(`${site.url}/rest/v1/inquiries`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(RECORD),
  });
  assert.equal(answer.status, 201);

  const { headers, body } = await promise;
  const verified = new Webhook(SECRET).verify(body, headers as Record<string, string>) as {
    type: string;
    data: Record<string, unknown>;
  };
  assert.equal(verified.type, "inquiry.created");
  const { id, firms, addition, ...fields } = verified.data;
  assert.deepEqual(fields, RECORD);
  assert.deepEqual(firms, []);
  assert.equal(addition, "");
  assert.match(String(headers["webhook-id"]), new RegExp(`^${String(id)}-[0-9]+$`));
  assert.throws(() => new Webhook(SECRET).verify(body.replace("Groß", "Gross"), headers as Record<string, string>));
});
