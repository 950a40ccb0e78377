import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PHONE } from "./support/browser.ts";
import { startOperatorSite } from "./support/operator.ts";
import { everyPath } from "./support/paths.ts";
import { holdStates, started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";
import { OTHERS, QUESTIONNAIRE, UNDECIDED } from "./support/states.ts";

// With every setting that adds a link, so that no link is left out.
const stage = useStage(startOperatorSite);

/** The page on which a link was found, by the link's absolute address. */
type Links = Map<string, string>;

/** Collects the links of the open page. Its own anchors are checked now, because scripts may have added the target. */
async function note(page: Page, where: string, links: Links, faults: string[]): Promise<void> {
  const found = await page.evaluate(() =>
    [...document.links].map(({ href, hash, pathname, search }) => {
      const isHere = hash !== "" && pathname === location.pathname && search === location.search;
      return { href, isHere, isDead: isHere && !document.getElementById(decodeURIComponent(hash.slice(1))) };
    }),
  );
  for (const { href, isHere, isDead } of found) {
    if (isDead) faults.push(`${where}: ${href} has no target`);
    if (!isHere) links.set(href, where);
  }
}

/** Returns the faults of links: those of the site must lead to a page without a redirect, and to an existing anchor. */
async function follow(links: Links): Promise<string[]> {
  const faults: string[] = [];
  const pages = new Map<string, { status: number; text: string }>();
  for (const [href, where] of links) {
    const { origin, protocol, pathname, search, hash } = new URL(href);
    if (origin !== stage.site.url) {
      if (!["https:", "mailto:", "tel:"].includes(protocol)) faults.push(`${where}: ${href} is not secure`);
      continue;
    }
    // The private page of a state's made-up inquiry.
    if (pathname.startsWith("/anfrage/")) continue;
    const address = origin + pathname + search;
    const page = pages.get(address) ?? (await read(address));
    pages.set(address, page);
    if (page.status !== 200) faults.push(`${where}: ${href} answers ${page.status}`);
    const id = decodeURIComponent(hash.slice(1));
    if (id && !page.text.includes(` id="${id}"`)) faults.push(`${where}: ${href} has no target`);
  }
  return faults;
}

async function read(address: string): Promise<{ status: number; text: string }> {
  const response = await fetch(address, { redirect: "manual" });
  return { status: response.status, text: await response.text() };
}

test("every link on every page leads to an existing page and anchor", async () => {
  const { context, page } = await stage.visit(PHONE);
  const links: Links = new Map();
  const faults: string[] = [];
  for (const path of await everyPath(stage.site.url)) {
    await page.goto(path);
    await started(page);
    await note(page, path, links, faults);
  }
  await context.close();
  assert.ok(links.size > 60, `${links.size} links`);
  assert.deepEqual([...faults, ...(await follow(links))], []);
});

test("so does every link that only scripts show", async () => {
  const links: Links = new Map();
  const faults: string[] = [];
  for (const [open, states] of [
    [stage.visit, [...QUESTIONNAIRE, ...OTHERS]],
    [stage.firstVisit, UNDECIDED],
  ] as const) {
    const { context, page } = await open(PHONE);
    await holdStates(page);
    for (const { name, reach } of states) {
      await reach(page);
      await note(page, name, links, faults);
    }
    await context.close();
  }
  assert.deepEqual([...faults, ...(await follow(links))], []);
});

test("no article appears twice among the cards of the blog", async () => {
  const { text } = await read(`${stage.site.url}/blog`);
  const ids = [...text.matchAll(/<h3[^>]*><a href="\/blog\/([^"]+)"/g)].map(([, id]) => id);
  assert.equal(ids.length, 9);
  assert.equal(new Set(ids).size, 9);
});
