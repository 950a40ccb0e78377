import { islandSource } from "./load.ts";

/** Milliseconds for which a pointer must stay on a link. Merely crossing it takes less. */
const STAY = 80;

/**
 * Prefetches the questionnaire's page and its script while a pointer stays on a link to it. The server makes such a
 * response cacheable for a minute, so a click takes both from the browser's cache. Not in browsers that prerender it
 * (`/speculation-rules.json`), where two requests would share the network, nor for visitors who save data.
 */
export function fetchQuestionnaireAhead(): void {
  if (savesData() || HTMLScriptElement.supports?.("speculationrules")) return;
  let timer: ReturnType<typeof setTimeout>;
  document.addEventListener("pointerover", ({ target }) => {
    clearTimeout(timer);
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="/fragebogen"]');
    if (link) timer = setTimeout(() => [link.href, islandSource()].forEach(fetchAhead), STAY);
  });
  // A scrolling finger touches links only by chance.
  document.addEventListener("pointercancel", () => clearTimeout(timer));
}

/** `<link rel="prefetch">` would be simpler, but Firefox checks it against `default-src`, and WebKit does not support it. */
function fetchAhead(address: string): void {
  fetch(address, { headers: { Purpose: "prefetch" } })
    .then((answer) => answer.arrayBuffer()) // an unread response may be aborted
    .catch(() => {}); // the visitor is offline
}

/** Returns whether the visitor has asked browsers to save data. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
