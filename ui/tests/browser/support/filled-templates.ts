import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";

/** Every mail and every private page in every state, by name (`examples/templates.rs`). */
export interface FilledTemplates {
  readonly mails: Readonly<Record<string, { subject: string; text: string; html: string }>>;
  readonly pages: Readonly<Record<string, string>>;
}

/** The folder under which states are shown; the site has nothing there. */
const FOLDER = "/templates-shown";

/** What the server allows a page. It forbids scripts above all, so whatever works here works without them. */
const PAGE_POLICY = "default-src 'none'; img-src 'self' data:; font-src 'self'; form-action 'self'";
/** What mail programs allow a mail: styles, but nothing that must be loaded. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Fills all templates, with the program that cargo builds beside the executable. */
export async function fillTemplates(): Promise<FilledTemplates> {
  const target = dirname(dirname(process.env.TAUBENABWEHR_BIN ?? ""));
  const programs = ["debug", "release"].map((profile) => join(target, profile, "examples/templates"));
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) throw new Error("Run cargo build --example templates first.");
  const { stdout } = await promisify(execFile)(program, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as FilledTemplates;
}

/** Shows a private page in one state, at an address of the running site, which serves its fonts. */
export function showPrivatePage(page: Page, name: string, html: string): Promise<void> {
  return show(page, `${FOLDER}/page/${name}`, html, `${PAGE_POLICY}; style-src 'self' ${styleHashes(html).join(" ")}`);
}

/** Returns the hashes of a page's inline styles, as a policy lists them. */
function styleHashes(html: string): string[] {
  const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)];
  return styles.map(([, style = ""]) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`);
}

export function showMail(page: Page, name: string, html: string): Promise<void> {
  return show(page, `${FOLDER}/mail/${name}`, html, MAIL_POLICY);
}

async function show(page: Page, path: string, body: string, policy: string): Promise<void> {
  const headers = { "content-security-policy": policy };
  await page.route(`**${path}`, (route) => route.fulfill({ body, headers, contentType: "text/html; charset=utf-8" }));
  await page.goto(path);
  await page.unroute(`**${path}`);
}
