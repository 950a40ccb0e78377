// Prints CHANGELOG.md as Debian has changelogs. A version that is not released yet has the time of the commit.
// Usage: node packaging/debian/changelog.mjs VERSION MAINTAINER SECONDS < CHANGELOG.md

import { readFileSync } from "node:fs";

const [version, maintainer, seconds] = process.argv.slice(2);

/** Columns of a line, as Debian's tools count them. */
const WIDTH = 80;

/** Returns a paragraph in lines that begin with `indent`, the first with `first`. */
function wrap(text, first, indent) {
  const lines = [];
  let line = first;
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length > WIDTH && line.trim() !== "*") {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}

/** Returns a time as in mails, which is Debian's form: `Sun, 22 Nov 2026 13:00:00 +0000`. */
const mailTime = (time) => time.toUTCString().replace("GMT", "+0000");

const sections = readFileSync(0, "utf8").split(/^## /m).slice(1);
const entries = [];
for (const section of sections) {
  const [heading, ...lines] = section.split("\n");
  const { name, date } = heading.match(/^\[(?<name>[^\]]+)\](?: - (?<date>\S+))?/)?.groups ?? {};
  if (!/^\d/.test(name ?? "")) continue;
  const released = /^\d{4}-\d{2}-\d{2}$/.test(date ?? "") ? new Date(`${date}T12:00:00Z`) : new Date(Number(seconds) * 1000);
  const points = lines.join("\n").split(/^- /m).slice(1);
  const changes = points.flatMap((point) => wrap(point.split(/\n\n|\n#/)[0].trim(), "  * ", "    "));
  const title = `taubenabwehr (${name === version.split("-")[0] ? version : `${name}-1`}) stable; urgency=medium`;
  entries.push([title, "", ...changes, "", ` -- ${maintainer}  ${mailTime(released)}`, ""].join("\n"));
}
if (!entries[0]?.includes(`(${version})`)) {
  console.error(`CHANGELOG.md does not begin with a section for ${version.split("-")[0]}: write it first`);
  process.exit(1);
}
process.stdout.write(entries.join("\n"));
