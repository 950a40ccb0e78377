/** A mistake in content or in how the build was run, shown as one line without a stack. */
export class BuildError extends Error {}

/** Throws a `BuildError` with its location: `file:line: message`. */
export function fail(file: string, line: number, message: string): never {
  throw new BuildError(`${file}:${line}: ${message}`);
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}
