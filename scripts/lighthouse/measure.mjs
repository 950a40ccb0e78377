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
    const { scores, measures, failing, largest } = result;
    table[path] = {
      ...Object.fromEntries(Object.keys(MIN_SCORES).map((id) => [id, scores[id]])),
      shift: Number(measures.shift.toFixed(4)),
      "first paint ms": Math.round(measures.first),
      "largest paint ms": Math.round(measures.paint),
      "blocked ms": Math.round(measures.blocked),
    };
    complaints.push(...shortfalls(result).map((line) => `${path}: ${line}`));
    console.log([path, `largest: ${largest}`, ...failing].join("\n  "));
  }
} finally {
  await site.stop();
}
console.table(table);
for (const line of complaints) console.error(line);
process.exitCode = complaints.length > 0 ? 1 : 0;
