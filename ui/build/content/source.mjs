/** @import { z } from "zod" */
import { fail } from "../fail.mjs";

/** @typedef {PropertyKey[]} Path keys and indices that lead to a value */

/** The data of a file that people edit, and the lines of its values. */
export class Source {
  #findLine;

  /**
   * @param {string} file
   * @param {unknown} data
   * @param {(path: Path) => number | undefined} findLine
   */
  constructor(file, data, findLine) {
    this.file = file;
    this.data = data;
    this.#findLine = findLine;
  }

  /**
   * Validates the data and returns the result. The first mistake ends the build at its line.
   *
   * @template {z.ZodType} Schema
   * @param {Schema} schema
   * @returns {z.output<Schema>}
   */
  read(schema) {
    const { success, data, error } = schema.safeParse(this.data);
    if (success) return data;
    // Report a misspelt key rather than the missing one that it was meant to be.
    const issue = error.issues.find(({ code }) => code === "unrecognized_keys") ?? error.issues[0];
    const key = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    return this.fail([...(issue?.path ?? []), ...key], issue?.message ?? "is wrong");
  }

  /**
   * Returns the line (from 1) of a value, or of the nearest value around it if there is none.
   *
   * @param {Path} path
   */
  lineOf(path) {
    for (let length = path.length; length > 0; length--) {
      const line = this.#findLine(path.slice(0, length));
      if (line !== undefined) return line;
    }
    return 1;
  }

  /**
   * Ends the build at the line of a value.
   *
   * @param {Path} path
   * @param {string} message
   * @returns {never}
   */
  fail(path, message) {
    const key = path.findLast((part) => typeof part === "string") ?? "";
    return fail(this.file, this.lineOf(path), `${String(key)}: ${message}`);
  }

  /**
   * Returns a function that ends the build at the line of a key of one table.
   *
   * @param {...(string | number)} table
   * @returns {Complain}
   */
  complainAt(...table) {
    return (key, message) => this.fail([...table, key], message);
  }
}

/** @typedef {(key: string, message: string) => never} Complain */
