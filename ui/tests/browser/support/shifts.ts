import type { BrowserContext, Page } from "playwright-core";

interface Shift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Records layout shifts on every page of a context (the cumulative layout shift of Core Web Vitals). */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    // A method, not a function: see settled.ts.
    const tell = {
      name(node: Node | null) {
        const element = node instanceof Element ? node : node?.parentElement;
        return element ? `${element.localName}.${element.getAttribute("class") ?? ""}` : "something removed";
      },
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as Shift[]) {
        if (entry.hadRecentInput) continue;
        const moved = entry.sources.map(
          ({ node, previousRect: from, currentRect: to }) =>
            `${tell.name(node)} from ${[from.x, from.y, from.width, from.height]} to ${[to.x, to.y, to.width, to.height]}`,
        );
        shifts.push(`${entry.value.toFixed(4)}: ${moved.join("; ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Returns the layout shifts since the page was opened. */
export async function shifts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // The observer is notified after the next frame.
    for (const _ of [1, 2, 3]) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (window as unknown as { shifts: string[] }).shifts;
  });
}
