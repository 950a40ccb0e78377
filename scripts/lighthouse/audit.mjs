import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { MAX_SHIFT, MIN_SCORES, RUNS } from "./pages.mjs";

/** Lets the browser run in a container, and keeps it from contacting its vendor while it is measured. */
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
];

/** Measures a page, repeatedly if its performance is too low, and returns the median run. */
export async function measure(url) {
  const results = [await run(url)];
  if (results[0].scores.performance < MIN_SCORES.performance) {
    while (results.length < RUNS) results.push(await run(url));
  }
  results.sort((one, other) => one.scores.performance - other.scores.performance);
  return results[Math.floor(results.length / 2)];
}

/** Measures a page once, in a new browser: in one that has measured before, a trace sometimes misses its start. */
async function run(url) {
  const browser = await launch({ chromePath: process.env.CHROMIUM, chromeFlags: FLAGS });
  try {
    // Lighthouse's defaults simulate a phone on a slow network, as PageSpeed Insights does.
    const result = await lighthouse(url, { port: browser.port, onlyCategories: Object.keys(MIN_SCORES), logLevel: "error" });
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

/** Returns the audits that cost points or give advice, each with the first places it names. */
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

/** Returns the limits that a measured page misses. */
export function shortfalls({ scores, shift }) {
  const low = Object.entries(MIN_SCORES).filter(([id, minimum]) => scores[id] < minimum);
  const lines = low.map(([id, minimum]) => `${id} is ${scores[id]}, expected at least ${minimum}`);
  if (shift > MAX_SHIFT) lines.push(`the layout shifts by ${shift.toFixed(4)}, expected at most ${MAX_SHIFT}`);
  return lines;
}
