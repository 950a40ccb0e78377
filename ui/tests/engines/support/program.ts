import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the path of the first of these programs that is installed. */
export function findProgram(...names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** As `findProgram`, for a program that has to be there. */
export function requireProgram(...names: readonly string[]): string {
  const path = findProgram(...names);
  if (path === null) throw new Error(`Install ${names.join(" or ")}, then run this again.`);
  return path;
}

/** A program that runs beside the tests. */
export interface Running {
  /** Returns the first match in what it writes. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it and waits until it has ended. */
  end(): Promise<void>;
}

/** Starts a program; what it writes to its third stream counts as output, too. */
export function start(path: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child: ChildProcess = spawn(path, args, {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of child.stdio.slice(1)) {
    stream?.on("data", (part: Buffer) => {
      output += String(part);
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });

  return {
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`${path} ended before it said ${pattern}:\n${output.slice(-2_000)}`)));
      }),
    end: async () => {
      child.kill("SIGTERM");
      const last = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
      await ended;
      clearTimeout(last);
    },
  };
}

/** How long in milliseconds a program may take to end; browsers save their profiles first. */
const PATIENCE_MS = 5_000;
