/**
 * Measures how long it takes from a click on a tile of the home page to a form that can be filled in, side by side for
 * several executables: `tile-to-form.ts [--runs N] OLD NEW …`. Chromium, unthrottled and slow; with speculation rules and without.
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { startSite, type Site } from "../tests/browser/support/site.ts";
import { type Command, openTab } from "../tests/browser/support/tab.ts";

/** Milliseconds for which the pointer rests on the tile before the click. */
const DWELL = 300;

/** Milliseconds in which a home page that is open can fetch ahead what it likes. */
const READING = 4_000;

const NETWORKS = {
  fast: null,
  slow: { offline: false, latency: 560, downloadThroughput: 180 * 1024, uploadThroughput: 180 * 1024 },
};
const SLOW_CPU = 4;

type Network = keyof typeof NETWORKS;

/** Notes in every document when a tile was clicked and when the form of its question can be used. No banner is in the way. */
const WATCH = `
  if (location.protocol !== "about:") localStorage.setItem("cookieConsent", "rejected");
  addEventListener("click", () => sessionStorage.setItem("clickedAt", Date.now()), true);
  const look = () => {
    const field = document.querySelector(".questionnaire-stage[data-visible=true] [name=postalCode]");
    const clickedAt = field && !document.prerendering ? sessionStorage.getItem("clickedAt") : null;
    if (clickedAt) globalThis.took = Date.now() - clickedAt;
    else requestAnimationFrame(look);
  };
  look();
`;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function measure(origin: string, network: Network, hasRules: boolean): Promise<number> {
  const conditions = NETWORKS[network];
  const setUp: Command[] = [
    ["Page.enable"],
    ["Network.enable"],
    ["Page.addScriptToEvaluateOnNewDocument", { source: WATCH }],
  ];
  if (!hasRules) setUp.push(["Network.setBlockedURLs", { urls: ["*/speculation-rules.json"] }]);
  if (conditions !== null)
    setUp.push(
      ["Network.emulateNetworkConditions", conditions],
      ["Emulation.setCPUThrottlingRate", { rate: SLOW_CPU }],
    );
  const tab = await openTab(setUp);
  try {
    const home = await tab.page(({ subtype }) => subtype === "");
    await home.send("Page.navigate", { url: origin });
    await tab.page((page) => page.evaluate<boolean>("document.readyState === 'complete' && location.pathname === '/'"));
    await wait(READING);
    const place = await home.evaluate<{ x: number; y: number }>(`(() => {
      const tile = document.querySelectorAll(".hero-tile")[4];
      tile.scrollIntoView({ block: "center", behavior: "instant" });
      const { x, y, width, height } = tile.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    })()`);
    await home.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...place });
    await wait(DWELL);
    const button = { ...place, button: "left", clickCount: 1 };
    await home.send("Input.dispatchMouseEvent", { type: "mousePressed", ...button });
    await home.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...button });
    const form = await tab.page((page) => page.evaluate<boolean>("typeof took === 'number'"));
    return await form.evaluate<number>("took");
  } finally {
    await tab.close();
  }
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

const { values, positionals: programs } = parseArgs({
  options: { runs: { type: "string", default: "5" } },
  allowPositionals: true,
});
const runs = Number(values.runs);
if (programs.length === 0) throw new Error("Name the executables to measure: tile-to-form.ts OLD NEW");
const sites: Site[] = [];
try {
  for (const program of programs) {
    process.env.TAUBENABWEHR_BIN = program;
    sites.push(await startSite("--demo"));
  }
  const names = programs.map((program, index) => `${index + 1}: ${basename(program)}`);
  console.log(`Milliseconds from tile to form, median of ${runs} (least to most)\n`);
  console.log(`| network | speculation rules | ${names.join(" | ")} |\n|---|---|${"---|".repeat(names.length)}`);
  for (const network of Object.keys(NETWORKS) as Network[]) {
    for (const hasRules of [true, false]) {
      const times = sites.map(() => [] as number[]);
      // By turns, so that what else the machine does meets all of them.
      for (let run = 0; run < runs; run += 1)
        for (const [index, site] of sites.entries()) times[index]?.push(await measure(site.url, network, hasRules));
      const cells = times.map((all) => `${median(all)} (${Math.min(...all)} to ${Math.max(...all)})`);
      console.log(`| ${network} | ${hasRules ? "yes" : "no"} | ${cells.join(" | ")} |`);
    }
  }
} finally {
  for (const site of sites) await site.stop();
}
