import { measure, shortfalls } from "./audit.mjs";
import { MIN_SCORES, PAGES } from "./pages.mjs";
import { startSite } from "./site.mjs";

const paths = process.argv.length > 2 ? process.argv.slice(2) : PAGES;
const site = await startSite(process.env.TAUBENABWEHR_BIN);
const table = {};
const complaints = [];
try {
  for (const path of paths) {
    const result = await measure(site.url + path);
    const { scores, shift, paint, blocked, failing } = result;
    table[path] = {
      ...Object.fromEntries(Object.keys(MIN_SCORES).map((id) => [id, scores[id]])),
      shift: Number(shift.toFixed(4)),
      "paint ms": Math.round(paint),
      "blocked ms": Math.round(blocked),
    };
    complaints.push(...shortfalls(result).map((line) => `${path}: ${line}`));
    if (failing.length > 0) console.log(`${path}\n  ${failing.join("\n  ")}`);
  }
} finally {
  await site.stop();
}
console.table(table);
for (const line of complaints) console.error(line);
process.exitCode = complaints.length > 0 ? 1 : 0;
