/** An error in what a person wrote or ran, shown as one line, without a stack. */
export class BuildError extends Error {}

/** Throws a `BuildError` that names the place: `file:line: message`. */
export function fail(file, line, message) {
  throw new BuildError(`${file}:${line}: ${message}`);
}

/** The line (from 1) on which `key` is set in a TOML or YAML source, or 1. */
export function lineOf(source, key) {
  const pattern = new RegExp(`^\\s*(?:- )?${key}\\s*[:=]`);
  const index = source.split("\n").findIndex((line) => pattern.test(line));
  return index < 0 ? 1 : index + 1;
}
