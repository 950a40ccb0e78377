import assert from "node:assert/strict";
import type { Mail } from "./mail-sink.ts";
import { SENDER } from "./referrals.ts";

const header = ({ email }: Mail, name: string): string | undefined =>
  email.headers.find(({ key }) => key === name)?.value;

/** Returns the addresses of all links in a mail's HTML. */
export function links({ email }: Mail): string[] {
  return [...(email.html ?? "").matchAll(/href="([^"]+)"/g)].map(([, address = ""]) =>
    address.replaceAll("&amp;", "&"),
  );
}

/** Returns the address of the only private page that a mail links to, in both alternatives. */
export function privateLink(mail: Mail, folder: string): string {
  const found = links(mail).filter((address) => address.includes(folder));
  assert.equal(new Set(found).size, 1, `${mail.email.subject} links to one page: ${found}`);
  const [address = ""] = found;
  assert.ok(mail.email.text?.includes(address), "the text has the link, too");
  return address;
}

/** Checks what must be true of every mail, whoever receives it. */
export function assertProper(mail: Mail, origin: string): void {
  const { email, recipient } = mail;
  const subject = email.subject ?? "";
  assert.deepEqual(email.from, SENDER, subject);
  assert.deepEqual(
    email.to?.map(({ address }) => address),
    [recipient],
    subject,
  );
  assert.equal(header(mail, "auto-submitted"), "auto-generated", subject);
  assert.match(email.messageId ?? "", /^<[0-9a-f-]{36}-[0-9]+@127\.0\.0\.1>$/, subject);
  assert.match(header(mail, "content-type") ?? "", /^multipart\/alternative;/, subject);
  assert.ok(email.html?.includes("</html>"), subject);
  assert.ok((email.text ?? "").length > 100, subject);
  assert.deepEqual(email.attachments, [], subject);
  // Reading a mail fetches nothing.
  assert.doesNotMatch(email.html ?? "", /<(img|link|script|iframe)\b/i, subject);
  for (const address of links(mail)) {
    const { protocol, origin: target } = new URL(address);
    if (protocol === "http:") assert.equal(target, origin, `${subject}: ${address}`);
    else assert.match(protocol, /^(https|mailto|tel):$/, `${subject}: ${address}`);
  }
}

/** Checks that neither the parts of a mail nor its headers contain any of these words. */
export function assertHides({ email }: Mail, words: readonly string[]): void {
  const headers = email.headers.filter(({ key }) => key !== "to").map(({ value }) => value);
  const all = [...headers, email.subject, email.text, email.html].join("\n");
  for (const word of words) assert.ok(!all.includes(word), `${email.subject} does not hold ${word}`);
}

/** Returns the mails without repetitions, each as its recipient and subject. Repetitions must be identical. */
export function withoutRepetitions(mails: readonly Mail[]): string[] {
  const byId = new Map<string, Mail>();
  for (const mail of mails) {
    const id = mail.email.messageId ?? "";
    const known = byId.get(id);
    if (known === undefined) byId.set(id, mail);
    else assert.deepEqual(said(mail), said(known), `${id} is always the same mail`);
  }
  return [...byId.values()].map(({ recipient, email }) => `${recipient}: ${email.subject}`).sort();
}

const said = ({ recipient, email }: Mail) => [recipient, email.subject, email.from, email.to];
