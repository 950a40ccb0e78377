/**
 * Runs test files with one browser for all of them: `tsx tests/browser/run.ts FILE...`. Each visit has a context of its own, so
 * they share nothing but the process, which would take longer to start than most tests take.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { SHARED_BROWSER, serveBrowser } from "./support/browser.ts";

const browser = await serveBrowser();
// One more than there are cores: tests wait, too, for a page, a clock or a server.
const atOnce = `--test-concurrency=${availableParallelism() + 1}`;
const tests = spawn(process.execPath, ["--import", "tsx", "--test", atOnce, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, [SHARED_BROWSER]: browser.wsEndpoint() },
});
const [code] = (await once(tests, "exit")) as [number | null];
await browser.close();
process.exitCode = code ?? 1;
