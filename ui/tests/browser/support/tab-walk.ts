import type { Page } from "playwright-core";

/** More stops than any page has. */
const MOST_STOPS = 250;

/** Walks through a page with the Tab key. Returns elements that it does not reach, or whose focus is invisible or unmarked. */
export async function walk(page: Page): Promise<string[]> {
  const found: string[] = [];
  const expected = await number(page);
  const reached = new Set<number>();
  await page.evaluate(() => {
    window.scrollTo(0, 0);
    (document.activeElement as HTMLElement | null)?.blur();
  });
  for (let presses = 0; presses < MOST_STOPS; presses += 1) {
    await page.keyboard.press("Tab");
    const stop = await look(page);
    if (stop?.number === [...reached].at(-1)) continue; // a date field has several stops
    if (stop === null || reached.has(stop.number)) break;
    reached.add(stop.number);
    found.push(...stop.faults.map((fault) => `${stop.name} ${fault}`));
  }
  return [
    ...found,
    ...expected.filter((stop) => !reached.has(stop.number)).map(({ name }) => `${name} is not reached`),
  ];
}

interface Stop {
  number: number;
  name: string;
}

/** Numbers everything that Tab should reach; radio buttons with the same name count as one. */
function number(page: Page): Promise<Stop[]> {
  return page.evaluate(() => {
    const groups = new Set<string>();
    const stops = [];
    for (const element of document.querySelectorAll<HTMLElement>(
      "a[href], button, summary, input, select, textarea, [tabindex='0']",
    )) {
      const isSeen = element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
      if (!isSeen || element.matches(":disabled") || element.closest("[inert]")) continue;
      element.dataset.stop = String(stops.length);
      const group = element instanceof HTMLInputElement && element.type === "radio" ? element.name : null;
      if (group !== null && groups.has(group)) {
        element.dataset.stop = "";
        continue;
      }
      if (group !== null) groups.add(group);
      stops.push({
        number: stops.length,
        name: `${element.localName} "${(element.ariaLabel ?? element.textContent ?? "").trim().slice(0, 40)}"`,
      });
    }
    return stops;
  });
}

/** Returns the focused element and faults of its focus mark; null at the end of the page. */
function look(page: Page): Promise<(Stop & { faults: string[] }) | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const faults: string[] = [];
    // A choice shows its focus on its label or on a surrounding element.
    const shown = [
      element,
      ...("labels" in element ? Array.from((element as HTMLInputElement).labels ?? []) : []),
      element.parentElement,
    ];
    const isMarked = shown.some((place) => {
      if (!place) return false;
      const style = getComputedStyle(place);
      return (
        (style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2) ||
        (place === element && style.boxShadow !== "none")
      );
    });
    if (!isMarked) faults.push("shows no focus");
    const box = (
      "labels" in element ? ((element as HTMLInputElement).labels?.[0] ?? element) : element
    ).getClientRects()[0];
    const points = box
      ? [0.1, 0.5, 0.9].map((part) => [box.left + box.width * part, box.top + box.height / 2] as const)
      : [];
    const isSeen = points.some(([x, y]) => {
      const above = document.elementFromPoint(x, y);
      return (
        above !== null &&
        (element.contains(above) || above.contains(element) || shown.some((place) => place?.contains(above)))
      );
    });
    if (!isSeen) faults.push("is hidden by something else while it has the focus");
    const { stop } = element.dataset;
    return {
      number: stop ? Number(stop) : -1,
      name: `${element.localName} "${(element.ariaLabel ?? element.textContent ?? "").trim().slice(0, 40)}"`,
      faults,
    };
  });
}
