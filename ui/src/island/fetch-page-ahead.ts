import { islandSource } from "./load.ts";

/** Milliseconds for which a pointer stays on a link that it is about to choose. Crossing one takes less. */
const STAY = 80;

/**
 * Fetches the questionnaire's page and its script while a pointer stays on a link to it. The server lets such an answer be
 * used for a minute, so a click takes both from the browser's cache. Not in browsers that render it ahead
 * (`/speculation-rules.json`): two requests would share the network. Not for visitors who save data.
 */
export function fetchQuestionnaireAhead(): void {
  if (savesData() || HTMLScriptElement.supports?.("speculationrules")) return;
  let timer: ReturnType<typeof setTimeout>;
  document.addEventListener("pointerover", ({ target }) => {
    clearTimeout(timer);
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="/fragebogen"]');
    if (link) timer = setTimeout(() => [link.href, islandSource()].forEach(fetchAhead), STAY);
  });
  // A finger that scrolls has touched a link only by chance.
  document.addEventListener("pointercancel", () => clearTimeout(timer));
}

/** `<link rel="prefetch">` would be simpler, but Firefox asks for it in `default-src`, and WebKit does not know it. */
function fetchAhead(address: string): void {
  fetch(address, { headers: { Purpose: "prefetch" } })
    .then((answer) => answer.arrayBuffer()) // an unread response may be aborted
    .catch(() => {}); // the visitor is offline
}

/** Says whether the visitor has asked for pages that take little data. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
