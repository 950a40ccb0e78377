/** An error in what a person wrote or ran, shown as one line, without a stack. */
export class BuildError extends Error {}

/** Throws a `BuildError` that names the place: `file:line: message`. */
export function fail(file, line, message) {
  throw new BuildError(`${file}:${line}: ${message}`);
}

/**
 * The line (from 1) on which `key` is set in a TOML or YAML source, or 1. Where several entries set it, the one that
 * sets it to `value`, if that is given and found.
 */
export function lineOf(source, key, value) {
  const pattern = new RegExp(`^\\s*(?:- )?${key}\\s*[:=]`);
  const lines = source.split("\n");
  const found = [...lines.keys()].filter((index) => pattern.test(lines[index]));
  const index = found.find((one) => typeof value === "string" && lines[one].includes(value)) ?? found[0] ?? 0;
  return index + 1;
}
