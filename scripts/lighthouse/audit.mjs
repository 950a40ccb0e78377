import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { MAX_MEASURES, MIN_SCORES, RUNS } from "./pages.mjs";

/** Allows the browser to run in a container, and keeps it from contacting its vendor during measurements. */
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
];

/** Measures a page several times. Returns the medians of scores and measures, and the advice of the first run. */
export async function measure(url) {
  const results = [];
  while (results.length < RUNS) results.push(await run(url));
  const medians = (part) =>
    Object.fromEntries(Object.keys(results[0][part]).map((id) => [id, median(results.map((result) => result[part][id]))]));
  const [{ failing, largest }] = results;
  return { scores: medians("scores"), measures: medians("measures"), failing, largest };
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

/** Measures a page once, in a new browser: in a reused one, a trace often misses its start, and in a new one now and then. */
async function run(url, attempts = 3) {
  const browser = await launch({ chromePath: process.env.CHROMIUM, chromeFlags: FLAGS });
  try {
    // Lighthouse's defaults simulate a phone on a slow network, as PageSpeed Insights does.
    const result = await lighthouse(url, { port: browser.port, onlyCategories: Object.keys(MIN_SCORES), logLevel: "error" });
    if (result.lhr.runtimeError?.code === "NO_NAVSTART" && attempts > 1) return await run(url, attempts - 1);
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
    measures: {
      shift: audits["cumulative-layout-shift"].numericValue,
      first: audits["first-contentful-paint"].numericValue,
      paint: audits["largest-contentful-paint"].numericValue,
      blocked: audits["total-blocking-time"].numericValue,
    },
    largest: largestPart(audits),
    failing: failing(report),
  };
}

/** The HTML of the element with the largest paint. */
function largestPart(audits) {
  const tables = audits["lcp-breakdown-insight"]?.details?.items ?? [];
  return tables.find((item) => item.snippet)?.snippet ?? "";
}

/** The audits that cost points or give advice, each with the first places it reports. */
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

/** The limits that a measured page misses. */
export function shortfalls({ scores, measures }) {
  const low = Object.entries(MIN_SCORES).filter(([id, minimum]) => scores[id] < minimum);
  const high = Object.entries(MAX_MEASURES).filter(([id, maximum]) => measures[id] > maximum);
  return [
    ...low.map(([id, minimum]) => `${id} is ${scores[id]}, expected at least ${minimum}`),
    ...high.map(([id, maximum]) => `${id} is ${Number(measures[id].toFixed(4))}, expected at most ${maximum}`),
  ];
}
