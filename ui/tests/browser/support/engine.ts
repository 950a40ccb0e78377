import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";

/** Where a site keeps its inquiries. */
export interface Place {
  /** What `--store` takes. */
  readonly url: string;
  /** Removes what is outside of the data directory. */
  remove(): Promise<void>;
}

/**
 * Returns the place of a site: its data directory or, where the tests are told a server (`scripts/postgres`), a schema of its
 * own, as `tests/postgres/mod.rs` makes them.
 */
export async function placeFor(data: string): Promise<Place> {
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
