import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Running, start } from "../../support/program.ts";

/** A running site with its own data directory. */
export interface Site {
  /** Origin without a trailing slash. */
  url: string;
  /** Its data directory, where inquiries are stored unless the tests run on PostgreSQL. */
  readonly data: string;
  /** Where inquiries are stored, in the syntax of `--store`. */
  readonly store: string;
  /** Runs a command on the site's data and returns its output. */
  run(...args: string[]): Promise<string>;
  /** Returns what the server has logged so far, restarts included. */
  log(): string;
  /** Returns the inquiries stored so far, as `export` prints them with these flags, without their outcomes. */
  stored(...flags: string[]): Promise<Record<string, string>[]>;
  /** Kills the server: as after a power cut, nothing more is written. */
  crash(): Promise<unknown>;
  /** Restarts the server on the same data, at a new address if `--listen` names none. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Returns a value for `--store` and how to remove it: a data directory or, if the tests run on PostgreSQL
 * (`scripts/postgres`), a separate schema, made like those of `tests/postgres/mod.rs`.
 */
async function placeFor(data: string): Promise<{ readonly url: string; remove(): Promise<void> }> {
  const server = process.env.TAUBENABWEHR_TEST_POSTGRES;
  if (!server) return { url: `redb:${data}`, remove: async () => {} };
  const schema = `test_${randomBytes(16).toString("hex")}`;
  await execute(server, `CREATE SCHEMA ${schema}`);
  return {
    url: `${server}?options=-c%20search_path%3D${schema}`,
    remove: () => execute(server, `DROP SCHEMA ${schema} CASCADE`),
  };
}

async function execute(server: string, statement: string): Promise<void> {
  await promisify(execFile)("psql", [server, "--quiet", "--no-psqlrc", "--command", statement]);
}

const ADDRESS = /http:\/\/127\.0\.0\.1:[0-9]+/;

/** Starts the executable named by `TAUBENABWEHR_BIN`, on a free port if `--listen` names none. */
export async function startSite(...args: string[]): Promise<Site> {
  const program = process.env.TAUBENABWEHR_BIN;
  if (program === undefined) throw new Error("Set TAUBENABWEHR_BIN to the executable that is to be tested.");
  const folder = await mkdtemp(join(tmpdir(), "taubenabwehr-"));
  const data = join(folder, "data");
  const place = await placeFor(data);
  const env = { ...process.env, TAUBENABWEHR_STORE: place.url };
  // No rate limit, because all tests of a file share one address.
  const flags = ["serve", "--rate-limit", "0", ...args];
  if (!args.includes("--listen")) flags.push("--listen", "127.0.0.1:0");
  let log = "";
  let running: Running;
  const run = async () => {
    running = start(program, flags, env);
    [site.url] = await running.says(ADDRESS);
  };

  const site: Site = {
    url: "",
    data,
    store: place.url,
    run: async (...args) => (await promisify(execFile)(program, args, { env })).stdout,
    log: () => log + running.output(),
    stored: async (...wished) => {
      const rows = JSON.parse(await site.run("export", "--format", "json", ...wished)) as Record<string, string>[];
      const beside = ["state", "accepted_by", "addition", "accepted_names", "accepted_at"];
      return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !beside.includes(name))));
    },
    crash: () => running.end("SIGKILL"),
    restart: async () => {
      log += running.output();
      await run();
    },
    stop: async () => {
      await running.end();
      await Promise.all([place.remove(), rm(folder, { recursive: true, force: true })]);
    },
  };
  await run();
  return site;
}

/** Kills the server, as in a power cut, and restarts it. */
export async function killAndRestart(site: Site): Promise<void> {
  await site.crash();
  await site.restart();
}
