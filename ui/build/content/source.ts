import type { z } from "zod";
import { fail } from "../fail.ts";

/** Keys and indices that lead to a value. */
export type Path = PropertyKey[];

/** The data of a hand-written file, and the lines of its values. */
export class Source {
  constructor(
    readonly file: string,
    readonly data: unknown,
    private readonly findLine: (path: Path) => number | undefined,
  ) {}

  /** Validates the data and returns the result. The first mistake fails the build at its line. */
  read<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
    const { success, data, error } = schema.safeParse(this.data);
    if (success) return data;
    // Report a misspelt key rather than the missing one that was intended.
    const issue = error.issues.find(({ code }) => code === "unrecognized_keys") ?? error.issues[0];
    const key = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    return this.fail([...(issue?.path ?? []), ...key], issue?.message ?? "is wrong");
  }

  /** Returns the line (from 1) of a value, or of the nearest enclosing value if it is missing. */
  lineOf(path: Path) {
    for (let length = path.length; length > 0; length--) {
      const line = this.findLine(path.slice(0, length));
      if (line !== undefined) return line;
    }
    return 1;
  }

  /** Fails the build at the line of a value. */
  fail(path: Path, message: string): never {
    const key = path.findLast((part) => typeof part === "string") ?? "";
    return fail(this.file, this.lineOf(path), `${String(key)}: ${message}`);
  }

  /** Returns a function that fails the build at the line of a key in one table. */
  complainAt(...table: (string | number)[]): Complain {
    return (key, message) => this.fail([...table, key], message);
  }
}

export type Complain = (key: string, message: string) => never;
