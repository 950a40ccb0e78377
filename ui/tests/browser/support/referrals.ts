import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { openBrowser, visit } from "./browser.ts";
import { freePort } from "./free-port.ts";
import { MailSink } from "./mail-sink.ts";
import { type Site, startSite } from "./site.ts";
import { WebhookSink } from "./webhook-sink.ts";

/** A site that refers inquiries to firms, and where its mails and calls arrive. */
export interface Referring {
  readonly site: Site;
  readonly mails: MailSink;
  readonly webhook: WebhookSink;
  stop(): Promise<void>;
}

export const SENDER = { name: "Taubenabwehr Büro", address: "anfrage@example.de" };
export const OPERATOR = "team@example.de";

/** Returns a firm's name, with characters that mails, HTML and headers must not confuse. */
export const firmName = (id: string): string => `Böttcher & Söhne „${id}“`;
export const firmAddress = (id: string): string => `auftrag@${id}.example`;
export const FIRM_PHONE = "+49 40 98765";

/** A person whose details occur in no text of the site, so that a test finds every remaining trace of them. */
export const VISITOR = {
  Vorname: "Änneliese",
  Nachname: "Kranichfeld",
  "E-Mail-Adresse": "aenneliese@kranich.example",
  Telefonnummer: "+49 40 7654321",
};

/**
 * Starts a site whose operator has a mail server, a webhook, these firms and further configuration tables; `flags` are
 * passed to `serve`. It keeps its address across restarts.
 */
export async function startReferring(
  firms: readonly string[],
  tables: string = "",
  ...flags: string[]
): Promise<Referring> {
  const folder = await mkdtemp(join(tmpdir(), "taubenabwehr-config-"));
  const [mails, webhook] = await Promise.all([MailSink.start(), WebhookSink.start()]);
  const cleanUp = () => Promise.all([mails.stop(), webhook.stop(), rm(folder, { recursive: true, force: true })]);
  try {
    await writeFile(join(folder, "webhook-secret"), `${webhook.secret}\n`);
    const config = join(folder, "config.toml");
    await writeFile(config, configuration(mails, webhook, firms) + tables);
    const site = await startSite("--config", config, "--listen", `127.0.0.1:${await freePort()}`, ...flags);
    const stop = async () => {
      await site.stop();
      await cleanUp();
    };
    return { site, mails, webhook, stop };
  } catch (error) {
    await cleanUp(); // servers left running would keep the test from ending
    throw error;
  }
}

/** Starts such a site and a browser, and stops them after a test. */
export async function referringFor(t: TestContext, ...how: Parameters<typeof startReferring>) {
  const referring = await startReferring(...how);
  t.after(referring.stop);
  const browser = await openBrowser();
  t.after(() => browser.close());
  return { ...referring, visit: (options?: BrowserContextOptions) => visit(browser, referring.site.url, options) };
}

function configuration(mails: MailSink, webhook: WebhookSink, firms: readonly string[]): string {
  const tables = firms.map(
    (id) => `
[[firm]]
id = "${id}"
name = "${firmName(id)}"
email = "${firmAddress(id)}"
phone = "${FIRM_PHONE}"
website = "https://${id}.example"
postal_codes = ["20"]
`,
  );
  return `
[mail]
server = "${mails.address}"
from = "${SENDER.name} <${SENDER.address}>"

[notify]
mail = ["${OPERATOR}"]
webhook = "${webhook.address}"
webhook_secret_file = "webhook-secret"

[matching]
offers = 3
answer_hours = 24
${tables.join("")}`;
}
