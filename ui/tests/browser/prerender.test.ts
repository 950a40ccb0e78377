import assert from "node:assert/strict";
import { test } from "node:test";
import { useStage } from "./support/stage.ts";
import { openTab, type Tab, type TabPage } from "./support/tab.ts";
import { startOperatorSite, TAGS } from "./support/operator.ts";

const stage = useStage(() => startOperatorSite(TAGS));

/** Runs before a page's own scripts, and records what it must not do before it is shown: timers, requests, history. */
const WATCH = `
  globalThis.noted = [];
  const note = (what) => noted.push(document.prerendering ? "ahead: " + what : what);
  const start = setTimeout;
  globalThis.setTimeout = (handler, ms, ...rest) => {
    if (ms) note("timer " + ms);
    return start(handler, ms, ...rest);
  };
  globalThis.setInterval = (handler, ms) => note("interval " + ms);
  const send = fetch;
  globalThis.fetch = (url, init) => {
    note("request " + url + " " + (init?.body ?? ""));
    return send(url, init);
  };
  for (const name of ["pushState", "replaceState"]) {
    const change = History.prototype[name];
    History.prototype[name] = function (...args) {
      note("history " + JSON.stringify(args[0]));
      return change.apply(this, args);
    };
  }
  try {
    localStorage.setItem("cookieSettings", JSON.stringify({ necessary: true, marketing: true }));
    localStorage.setItem("cookieTags", "GTM-TEST123 AW-123456789/abcDEF");
  } catch {}
`;

const openWatched = () => openTab([["Page.enable"], ["Page.addScriptToEvaluateOnNewDocument", { source: WATCH }]]);

const noted = (page: TabPage) => page.evaluate<string[]>("noted");

/** Opens the home page, and rests the pointer on a tile until the browser has prerendered its questionnaire. */
async function pointAtTile(tab: Tab): Promise<{ home: TabPage; ahead: TabPage }> {
  const home = await tab.page(({ subtype }) => subtype === "");
  await home.send("Page.navigate", { url: stage.site.url });
  await tab.page((page) => page.evaluate<boolean>("document.documentElement.dataset.started !== undefined"));
  const { x, y } = await home.evaluate<{ x: number; y: number }>(
    "(() => { const { x, y, width, height } = document.querySelectorAll('.hero-tile')[4].getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()",
  );
  // Repeatedly, because the browser may not have read the rules yet when the pointer first arrives.
  const point = () => {
    void home.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 1, y: 1 });
    void home.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  };
  point();
  const pointing = setInterval(point, 1_000);
  try {
    await tab.page(({ subtype }) => subtype === "prerender");
  } finally {
    clearInterval(pointing);
  }
  const ahead = await tab.page(
    (page) =>
      page.subtype === "prerender" && page.evaluate<boolean>("document.querySelector('[data-mode=live]') !== null"),
  );
  return { home, ahead };
}

test("a prerendered questionnaire counts nothing and starts nothing before it is shown", async () => {
  const tab = await openWatched();
  try {
    const { home, ahead } = await pointAtTile(tab);
    assert.equal(await ahead.evaluate("document.prerendering"), true);
    assert.equal(
      await ahead.evaluate("document.querySelectorAll('.questionnaire input').length > 0"),
      true,
      "it is ready",
    );
    assert.deepEqual(await noted(ahead), []);
    assert.equal(await ahead.evaluate("document.getElementById('tag-manager')"), null);

    await home.evaluate("document.querySelectorAll('.hero-tile')[4].click()");
    const shown = await tab.page((page) =>
      page.evaluate<boolean>("location.pathname === '/fragebogen' && !document.prerendering"),
    );
    assert.equal(await shown.evaluate("performance.getEntriesByType('navigation')[0].activationStart > 0"), true);
    await tab.page((page) => page.evaluate<boolean>("document.querySelector('#tag-manager') !== null"));
    const after = await noted(shown);
    assert.deepEqual(
      after.filter((what) => what.startsWith("ahead")),
      [],
    );
    for (const what of [
      'request /rest/v1/pages {"path":"/fragebogen"}',
      'request /rest/v1/steps {"step":1}',
      'history {"isLinkRead":true}',
      "timer 2500",
    ])
      assert.ok(after.includes(what), `${what} is not among ${after.join("; ")}`);
  } finally {
    await tab.close();
  }
});

interface Rules {
  prerender: { where: { href_matches: string[] } }[];
  prefetch: { where: { and: { not?: { href_matches?: string[] } }[] } }[];
}

test("only the questionnaire is prerendered, and only public pages are prefetched", async () => {
  const { prerender, prefetch } = (await (await fetch(`${stage.site.url}/speculation-rules.json`)).json()) as Rules;
  const rendered = prerender.flatMap(({ where }) => where.href_matches);
  const left = prefetch.flatMap(({ where }) => where.and.flatMap(({ not }) => not?.href_matches ?? []));
  const { page } = await stage.visit();
  await page.goto("/faq");
  const matches = (patterns: string[], path: string) =>
    page.evaluate<boolean>(
      `${JSON.stringify(patterns)}.some((text) => new URLPattern(text, location.href).test(${JSON.stringify(path)}, location.href))`,
    );
  for (const path of ["/fragebogen", "/fragebogen?propertyType=industrial&step=1"]) {
    assert.equal(await matches(rendered, path), true, path);
    assert.equal(await matches(left, path), true, path);
  }
  for (const path of ["/", "/blog", "/blog/kategorie/kosten", "/faq#preise", "/impressum?x=1"]) {
    assert.equal(await matches([...rendered, ...left], path), false, path);
  }
  for (const path of [
    "/danke",
    "/anfrage/Zm9vYmFyYmF6cXV4-_0123",
    "/betrieb/Zm9vYmFyYmF6cXV4-_0123",
    "/newsletter/bestaetigen/x",
    "/rest/v1/steps",
    "/sitemap.xml",
    "/blog/feed",
    "/openapi.json",
  ]) {
    assert.equal(await matches(rendered, path), false, path);
    assert.equal(await matches(left, path), true, path);
  }
});
