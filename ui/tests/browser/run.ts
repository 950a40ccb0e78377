/**
 * Runs test files with one shared browser: `tsx tests/browser/run.ts FILE...`. Each visit has its own context, so they
 * share nothing but the process, which takes longer to start than most tests take to run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { SHARED_BROWSER, serveBrowser } from "./support/browser.ts";

const browser = await serveBrowser();
// One more than there are cores, because tests also wait for pages, timers and servers.
const atOnce = `--test-concurrency=${availableParallelism() + 1}`;
// Reports a file that hangs by its name. The slowest takes a third of this on a busy machine.
const perFile = "--test-timeout=600000";
const flags = ["--import", "tsx", "--test", "--test-reporter=spec", atOnce, perFile];
const tests = spawn(process.execPath, [...flags, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, [SHARED_BROWSER]: browser.wsEndpoint() },
});
const [code] = (await once(tests, "exit")) as [number | null];
await browser.close();
process.exitCode = code ?? 1;
