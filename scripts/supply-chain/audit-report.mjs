// Prints the findings of `npm audit --json`, one line per package. Fails if there are any.
import { text } from "node:stream/consumers";

const [name] = process.argv.slice(2);
const { vulnerabilities } = JSON.parse(await text(process.stdin));
const found = Object.values(vulnerabilities);
for (const { name: packageName, severity, range, via } of found) {
  const titles = via.map((cause) => (typeof cause === "string" ? `through ${cause}` : `${cause.title} ${cause.url}`));
  console.error(`${name}: ${severity}: ${packageName} ${range}: ${titles.join("; ")}`);
}
if (found.length === 0) console.log(`${name}: no known vulnerabilities`);
process.exitCode = found.length > 0 ? 1 : 0;
