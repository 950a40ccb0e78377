import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scan } from "@mdn/mdn-http-observatory";
import { startSite } from "../lighthouse/site.mjs";
import { startProxy } from "./proxy.mjs";

/** One page of each kind, with and without code of its own. The scanner rejects pages that do not exist. */
const PAGES = ["/", "/fragebogen", "/blog/taubenabwehr-kosten-hamburg", "/danke"];

const MIN_GRADE = "A+";

const read = (name) => readFileSync(join(process.env.CERTIFICATES, name));
const paths = process.argv.length > 2 ? process.argv.slice(2) : PAGES;
const proxy = await startProxy({ key: read("key.pem"), cert: read("cert.pem") });
const site = await startSite(process.env.TAUBENABWEHR_BIN, ["--public-url", `https://${proxy.host}`]);
const table = {};
const complaints = [];
try {
  proxy.passTo(new URL(site.url).port);
  for (const path of paths) {
    // The scanner prepends http:// and https:// to whatever it is given, so a path works, too.
    const { scan: result, tests } = await scan(proxy.host + path);
    table[path] = {
      grade: result.grade,
      score: result.score,
      passed: `${result.testsPassed} of ${result.testsQuantity}`,
    };
    for (const [name, test] of Object.entries(tests)) {
      console.log(`${path}: ${test.pass ? "passed" : "FAILED"}: ${name}: ${test.result} (${test.scoreModifier})`);
      if (!test.pass) complaints.push(`${path}: ${name}: ${test.result}`);
    }
    if (result.grade !== MIN_GRADE) complaints.push(`${path}: the grade is ${result.grade}, expected ${MIN_GRADE}`);
  }
} finally {
  await site.stop();
  proxy.stop();
}
console.table(table);
for (const line of complaints) console.error(line);
process.exitCode = complaints.length > 0 ? 1 : 0;
