import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openBrowser } from "../tests/browser/support/browser.ts";
import { startOperatorSite } from "../tests/browser/support/operator.ts";
import { findProgram } from "./screenshots/program.ts";
import { collectShots, type Shot } from "./screenshots/shots.ts";
import { makeSheet } from "./screenshots/sheet.ts";
import { openStudio } from "./screenshots/studio.ts";

const USAGE = `Takes full-page screenshots of every page and every state into screenshots/<width>-<scheme>/<name>.png.

npm run screenshots -- [--route TEXT] [--width 390,768,1440] [--scheme light,dark] [--output DIRECTORY] [--no-sheets]

  --route TEXT   only what has TEXT in its name: blog, step-4, banner; repeatable
TAUBENABWEHR_BIN names the executable; else that of target/release or target/debug.`;

/** Pages that are taken at the same time. More would be no faster on two cores. */
const AT_ONCE = 2;

const { values } = parseArgs({
  options: {
    route: { type: "string", multiple: true, default: [] },
    width: { type: "string", default: "390,768,1440" },
    scheme: { type: "string", default: "light,dark" },
    output: { type: "string", default: join(import.meta.dirname, "../../screenshots") },
    "no-sheets": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  console.log(USAGE);
} else {
  process.env.TAUBENABWEHR_BIN ??= findProgram();
  process.exitCode = (await takeAll()) ? 0 : 1;
}

/** Takes every requested shot. Returns whether all of them succeeded. */
async function takeAll(): Promise<boolean> {
  const site = await startOperatorSite();
  const browser = await openBrowser();
  const failed: string[] = [];
  try {
    const shots = (await collectShots(site.url)).filter(({ name }) => isWanted(name));
    for (const scheme of values.scheme.split(",") as ("light" | "dark")[]) {
      for (const width of values.width.split(",").map(Number)) {
        const folder = join(values.output, `${width}-${scheme}`);
        await mkdir(folder, { recursive: true });
        const waiting: Shot[] = shots.filter(({ isNarrow }) => !isNarrow || width < 768);
        const names = waiting.map(({ name }) => name);
        const take = async () => {
          const studio = await openStudio(browser, site.url, width, scheme);
          for (let shot = waiting.shift(); shot; shot = waiting.shift()) {
            const complaint = await studio.take(shot, join(folder, `${shot.name}.png`));
            if (complaint) failed.push(`${width}-${scheme}/${shot.name}: ${complaint}`);
          }
          await studio.close();
        };
        await Promise.all(Array.from({ length: AT_ONCE }, take));
        if (!values["no-sheets"]) await makeSheet(folder, names);
        console.log(`${folder}: ${names.length} shots`);
      }
    }
  } finally {
    await browser.close();
    await site.stop();
  }
  for (const line of failed) console.error(line);
  return failed.length === 0;
}

function isWanted(name: string): boolean {
  return (
    values.route.length === 0 ||
    values.route.some((text) => name.includes(text.replace(/^\//, "").replaceAll("/", "_")))
  );
}
