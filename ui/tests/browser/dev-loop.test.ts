import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { start } from "../support/program.ts";
import { openBrowser } from "./support/browser.ts";

const UI = resolve(import.meta.dirname, "../..");
const BUILT = ["build", "public", "src", "package.json", "parcelrc.json", "tsconfig.json"];

/** Starts the development loop on a copy of the sources, which the test may change. */
async function startLoop() {
  const folder = await mkdtemp(join(tmpdir(), "taubenabwehr-dev-"));
  const ui = join(folder, "ui");
  for (const name of BUILT) await cp(join(UI, name), join(ui, name), { recursive: true });
  await cp(resolve(UI, "../content"), join(folder, "content"), { recursive: true });
  await symlink(join(UI, "node_modules"), join(ui, "node_modules"));
  const flags = ["--import", "tsx", "build/dev.ts", process.env.TAUBENABWEHR_BIN ?? "", join(folder, "made")];
  const loop = start(process.execPath, flags, { PORT: "0" }, ui);
  const [, address = ""] = await loop.says(/^Open (.+)$/m);
  return {
    address,
    edit: async (name: string, from: string, to: string) => {
      const text = await readFile(join(folder, name), "utf8");
      assert.ok(text.includes(from), `${name} has no ${from}`);
      await writeFile(join(folder, name), text.replace(from, to));
    },
    stop: async () => {
      assert.equal(await loop.end(), 0);
      await rm(folder, { recursive: true });
    },
  };
}

test("an open page picks up changes to a style, a text and a component by itself", async (t) => {
  const browser = await openBrowser();
  t.after(() => browser.close());
  const loop = await startLoop();
  t.after(() => loop.stop());
  const page = await browser.newPage();
  // Each build takes seconds, and other tests run at the same time.
  page.setDefaultTimeout(180_000);
  await page.goto(loop.address);
  await loop.edit("ui/src/layout/footer.css", ".footer {", ".footer {\n  outline: 5px solid;");
  await page.waitForFunction(
    () => getComputedStyle(document.querySelector(".footer") ?? document.body).outlineWidth === "5px",
  );
  await loop.edit("content/home.toml", 'title = "Haus"', 'title = "Hausprobe"');
  await page.getByText("Hausprobe", { exact: true }).waitFor();
  await loop.edit("ui/src/layout/footer.tsx", "<footer", "<footer data-changed");
  await page.locator("footer[data-changed]").waitFor();
});
