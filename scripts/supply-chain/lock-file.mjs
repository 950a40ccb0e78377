// Checks that a lock file pins every package to an exact version and a checksum, but not to a registry: npm's configuration
// chooses it.
import { readFileSync } from "node:fs";

const [path] = process.argv.slice(2);
const { lockfileVersion, packages } = JSON.parse(readFileSync(path, "utf8"));
const complaints = lockfileVersion === 3 ? [] : [`lockfileVersion is ${lockfileVersion}, expected 3`];
let count = 0;
for (const [place, { version, resolved, integrity, link }] of Object.entries(packages)) {
  if (place === "") continue;
  count += 1;
  if (link) complaints.push(`${place} is a link`);
  if (!/^[0-9]+\.[0-9]+\.[0-9]+/.test(version ?? "")) complaints.push(`${place} has no exact version: ${version}`);
  if (!/^sha512-/.test(integrity ?? "")) complaints.push(`${place} has no checksum`);
  if (resolved) complaints.push(`${place} is tied to ${resolved}`);
}
for (const complaint of complaints) console.error(`${path}: ${complaint}`);
if (complaints.length === 0) console.log(`${path}: ${count} packages`);
process.exitCode = complaints.length > 0 ? 1 : 0;
