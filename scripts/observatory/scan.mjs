import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scan } from "@mdn/mdn-http-observatory";
import { startSite } from "../lighthouse/site.mjs";
import { startProxy } from "./proxy.mjs";

/** One of each kind of page that has code of its own, or none. A page that is not there is refused by the scanner. */
const PAGES = ["/", "/fragebogen", "/blog/taubenabwehr-kosten-hamburg", "/danke"];

const LEAST = "A+";

const read = (name) => readFileSync(join(process.env.CERTIFICATES, name));
const paths = process.argv.length > 2 ? process.argv.slice(2) : PAGES;
const proxy = await startProxy({ key: read("key.pem"), cert: read("cert.pem") });
const site = await startSite(process.env.TAUBENABWEHR_BIN, ["--public-url", `https://${proxy.host}`]);
const table = {};
const complaints = [];
try {
  proxy.passTo(new URL(site.url).port);
  for (const path of paths) {
    // The scanner puts what it is given behind http:// and https://, a path too.
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
    if (result.grade !== LEAST) complaints.push(`${path}: the grade is ${result.grade}, ${LEAST} is promised`);
  }
} finally {
  await site.stop();
  proxy.stop();
}
console.table(table);
for (const line of complaints) console.error(line);
process.exitCode = complaints.length > 0 ? 1 : 0;
