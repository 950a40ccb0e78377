import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { LEAST, MOST_SHIFT, RUNS } from "./pages.mjs";

/** What a browser in a container needs, and what keeps it from asking its maker for things while it is measured. */
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
];

/** Measures a page, again where its performance falls short; the answer is the run in the middle. */
export async function measure(url) {
  const results = [await run(url)];
  if (results[0].scores.performance < LEAST.performance) {
    while (results.length < RUNS) results.push(await run(url));
  }
  results.sort((one, other) => one.scores.performance - other.scores.performance);
  return results[Math.floor(results.length / 2)];
}

/** One run in a browser of its own: in one that has measured before, a trace now and then misses its start. */
async function run(url) {
  const browser = await launch({ chromePath: process.env.CHROMIUM, chromeFlags: FLAGS });
  try {
    // Lighthouse's own defaults are those of a phone on a slow network, and are what its web page measures with.
    const result = await lighthouse(url, { port: browser.port, onlyCategories: Object.keys(LEAST), logLevel: "error" });
    return summarise(url, result.lhr);
  } finally {
    browser.kill();
  }
}

function summarise(url, report) {
  const { categories, audits, runtimeError } = report;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const scores = Object.fromEntries(
    Object.entries(categories).map(([id, { score }]) => [id, Math.round((score ?? 0) * 100)]),
  );
  return {
    scores,
    shift: audits["cumulative-layout-shift"].numericValue,
    paint: audits["largest-contentful-paint"].numericValue,
    blocked: audits["total-blocking-time"].numericValue,
    failing: failing(report),
  };
}

/** The audits that take points away or advise something, with the first places they name. */
function failing({ categories, audits }) {
  const lines = [];
  for (const { id: category, auditRefs } of Object.values(categories)) {
    for (const { id, weight, group } of auditRefs) {
      const { score, scoreDisplayMode, title, displayValue, details } = audits[id];
      const counts = ["binary", "numeric", "metricSavings"].includes(scoreDisplayMode);
      if (!counts || score === null || score >= 0.9 || group === "hidden") continue;
      const places = (details?.items ?? [])
        .slice(0, 3)
        .map((item) => item.node?.snippet ?? item.url ?? item.description ?? "");
      lines.push(
        `${category}: ${id} (weight ${weight}, ${Math.round(score * 100)}): ${title} ${displayValue ?? ""} ${places.join(" ")}`.trim(),
      );
    }
  }
  return lines;
}

/** What a measured page does not keep. */
export function broken({ scores, shift }) {
  const low = Object.entries(LEAST).filter(([id, least]) => scores[id] < least);
  const lines = low.map(([id, least]) => `${id} is ${scores[id]}, at least ${least} is promised`);
  if (shift > MOST_SHIFT) lines.push(`the layout shifts by ${shift.toFixed(4)}, not at all is promised`);
  return lines;
}
