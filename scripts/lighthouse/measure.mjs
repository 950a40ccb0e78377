import { launch } from "chrome-launcher";
import { broken, measure } from "./audit.mjs";
import { LEAST, PAGES } from "./pages.mjs";
import { startSite } from "./site.mjs";

/** What a browser in a container needs, and what keeps it from asking its maker for things while it is measured. */
const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"];

const paths = process.argv.length > 2 ? process.argv.slice(2) : PAGES;
const site = await startSite(process.env.TAUBENABWEHR_BIN);
const browser = await launch({ chromePath: process.env.CHROMIUM, chromeFlags: FLAGS });
const table = {};
const complaints = [];
try {
  for (const path of paths) {
    const result = await measure(site.url + path, browser.port);
    const { scores, shift, paint, blocked, failing } = result;
    table[path] = {
      ...Object.fromEntries(Object.keys(LEAST).map((id) => [id, scores[id]])),
      shift: Number(shift.toFixed(4)),
      "paint ms": Math.round(paint),
      "blocked ms": Math.round(blocked),
    };
    complaints.push(...broken(result).map((line) => `${path}: ${line}`));
    if (failing.length > 0) console.log(`${path}\n  ${failing.join("\n  ")}`);
  }
} finally {
  browser.kill();
  await site.stop();
}
console.table(table);
for (const line of complaints) console.error(line);
process.exitCode = complaints.length > 0 ? 1 : 0;
