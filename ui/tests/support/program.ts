import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Returns the path of the first of these programs that is installed. */
export function findProgram(...names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Like `findProgram`, but throws if none is installed. */
export function requireProgram(...names: readonly string[]): string {
  const path = findProgram(...names);
  if (path === null) throw new Error(`Install ${names.join(" or ")}, then run this again.`);
  return path;
}

/** A program that runs beside the tests. */
export interface Running {
  /** Returns the first match in its output. If there is none, ends the program, which would keep the tests from ending. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Returns its output so far. */
  output(): string;
  /** Ends the program and returns its exit code, which is null if a signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a program. What it writes to file descriptor 3 also counts as output. */
export function start(path: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = "."): Running {
  const child: ChildProcess = spawn(path, args, {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    // Makes it the leader of a group, so that its own children end with it.
    detached: true,
    env: { ...process.env, ...env },
    cwd,
  });
  let output = "";
  for (const stream of child.stdio.slice(1)) {
    stream?.on("data", (part: Buffer) => {
      output += String(part);
    });
  }
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  // Not "close", which waits for everything that has inherited the streams.
  const ended = new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
    child.once("error", () => resolve(null));
  });

  const end: Running["end"] = async (signal = "SIGTERM") => {
    kill(child, signal);
    await Promise.race([ended, setTimeout(END_MS, null, { ref: false })]);
    kill(child, "SIGKILL"); // children that are still running
    for (const stream of child.stdio) stream?.destroy();
    return ended;
  };

  return {
    says: async (pattern) => {
      for (const begun = Date.now(); isRunning() && Date.now() - begun < START_MS; ) {
        const found = pattern.exec(output);
        if (found) return found;
        await setTimeout(LOOK_MS);
      }
      const reason = isRunning() ? "did not say" : "ended before it said";
      await end("SIGKILL");
      throw new Error(`${path} ${reason} ${pattern}:\n${output.slice(-2_000)}`);
    },
    output: () => output,
    end,
  };
}

/** Sends a signal to a program and its children. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}

/** How often in milliseconds the output of a program is searched. */
const LOOK_MS = 20;

/** How long in milliseconds a program may take to report that it has started, on a busy machine. */
const START_MS = 180_000;

/** How long in milliseconds a program may take to end; browsers save their profiles first. */
const END_MS = 20_000;
