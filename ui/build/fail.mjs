/** A mistake in content or in how the build was run, shown as one line without a stack. */
export class BuildError extends Error {}

/**
 * Throws a `BuildError` that names the place: `file:line: message`.
 *
 * @param {string} file
 * @param {number} line
 * @param {string} message
 * @returns {never}
 */
export function fail(file, line, message) {
  throw new BuildError(`${file}:${line}: ${message}`);
}

/**
 * Returns the message of whatever was thrown.
 *
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
