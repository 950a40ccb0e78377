// Prints the commands of a guide as a shell script. A block ```sh run contains commands, which run in order; a block
// ```toml file=PATH holds a file. With a NAME, prints only those of the blocks ```sh run=NAME.
// Usage: node tests/package/guide.mjs GUIDE.md [NAME]

import { readFileSync } from "node:fs";

/** Local replacements for the guide's hosts. */
const STAND_INS = [
  ["smtp://mail.example.de:587", "smtp://127.0.0.1:2525"],
  ["ssh root@www.example.de ", ""],
];

/** What the guide tells a person to do, after the command that prepares for it. */
const BY_HAND = [["/etc/taubenabwehr/mail-password", "echo geheim > /etc/taubenabwehr/mail-password"]];

/** Returns a text with all replacements made. */
function withStandIns(text) {
  return STAND_INS.reduce((done, [from, to]) => done.replaceAll(from, to), text);
}

const guide = readFileSync(process.argv[2], "utf8");
const name = process.argv[3];
if (name !== undefined) {
  const blocks = [...guide.matchAll(/^```sh run=(\S+)\n([\s\S]*?)^```$/gm)].filter(([, found]) => found === name);
  if (blocks.length === 0) {
    console.error(`guide.mjs: there is no block ${name}`);
    process.exit(1);
  }
  for (const [, , written] of blocks) process.stdout.write(withStandIns(written));
  process.exit(0);
}
const blocks = [...guide.matchAll(/^```(\w+) (run|file=(\S+))\n([\s\S]*?)^```$/gm)];
if (blocks.length < 5) {
  console.error(`guide.mjs: only ${blocks.length} blocks were found`);
  process.exit(1);
}

for (const [, , kind, path, written] of blocks) {
  const text = withStandIns(written);
  if (kind === "run") {
    console.log(`cat <<'COMMANDS' | sed 's/^/guide: $ /'\n${text}COMMANDS\n${text}`);
    for (const [place, command] of BY_HAND) {
      if (text.includes("install") && text.includes(place)) console.log(command);
    }
  } else {
    console.log(`echo "guide: the file ${path}"\ncat > '${path}' <<'FILE'\n${text}FILE\n`);
  }
}
