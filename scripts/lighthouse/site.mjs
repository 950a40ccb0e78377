import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const ADDRESS = /http:\/\/127\.0\.0\.1:[0-9]+/;
const SECURE_ADDRESS = /https:\/\/127\.0\.0\.1:[0-9]+/;

/** Starts the executable on a free port with its own data directory and extra flags. `secureUrl` waits for a TLS listener. */
export async function startSite(program, more = []) {
  const folder = await mkdtemp(join(tmpdir(), "taubenabwehr-site-"));
  const flags = ["serve", "--listen", "127.0.0.1:0", "--data-dir", join(folder, "data"), ...more];
  const child = spawn(program, flags, { stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "exit");
  let foundSecure;
  const secureUrl = new Promise((resolve) => (foundSecure = resolve));
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = ADDRESS.exec(line);
      if (found) resolve(found[0]);
      const secure = SECURE_ADDRESS.exec(line);
      if (secure) foundSecure(secure[0]);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The server exited with ${code} before it listened.`)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { url, secureUrl, stop };
}
