import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scan } from "@mdn/mdn-http-observatory";
import { startSite } from "../lighthouse/site.mjs";
import { openEntrance, startProxy } from "./entrance.mjs";

/** One page of each kind, with and without its own scripts. The scanner rejects pages that do not exist. */
const PAGES = ["/", "/fragebogen", "/blog/taubenabwehr-kosten-hamburg", "/danke"];

const MIN_GRADE = "A+";

const file = (name) => join(process.env.CERTIFICATES, name);
const paths = process.argv.length > 2 ? process.argv.slice(2) : PAGES;
const table = {};
const complaints = [];

/** Starts a site behind a proxy that terminates TLS. */
async function behindProxy(host) {
  const site = await startSite(process.env.TAUBENABWEHR_BIN, ["--public-url", `https://${host}`]);
  const certificate = { key: readFileSync(file("key.pem")), cert: readFileSync(file("cert.pem")) };
  const proxy = await startProxy(certificate, new URL(site.url).port);
  const stop = async () => {
    await site.stop();
    proxy.stop();
  };
  return { ports: proxy.ports, stop };
}

/** Starts a site that terminates TLS itself. */
async function directly(host) {
  const tls = ["--tls-listen", "127.0.0.1:0", "--tls-cert", file("cert.pem"), "--tls-key", file("key.pem")];
  const site = await startSite(process.env.TAUBENABWEHR_BIN, ["--public-url", `https://${host}`, ...tls]);
  const https = await site.secureUrl;
  return { ports: { http: new URL(site.url).port, https: new URL(https).port }, stop: site.stop };
}

async function scanAll(how, start) {
  const entrance = await openEntrance();
  const site = await start(entrance.host);
  try {
    entrance.passTo(site.ports);
    for (const path of paths) {
      // The scanner prepends http:// and https:// to its argument, so a path also works.
      const { scan: result, tests } = await scan(entrance.host + path);
      const page = `${how}: ${path}`;
      table[page] = {
        grade: result.grade,
        score: result.score,
        passed: `${result.testsPassed} of ${result.testsQuantity}`,
      };
      for (const [name, test] of Object.entries(tests)) {
        console.log(`${page}: ${test.pass ? "passed" : "FAILED"}: ${name}: ${test.result} (${test.scoreModifier})`);
        if (!test.pass) complaints.push(`${page}: ${name}: ${test.result}`);
      }
      if (result.grade !== MIN_GRADE) complaints.push(`${page}: the grade is ${result.grade}, expected ${MIN_GRADE}`);
    }
  } finally {
    await site.stop();
    entrance.stop();
  }
}

await scanAll("behind a proxy", behindProxy);
await scanAll("directly", directly);
console.table(table);
for (const line of complaints) console.error(line);
process.exitCode = complaints.length > 0 ? 1 : 0;
