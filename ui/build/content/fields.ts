import { z } from "zod";

const TEXT = "must be a text";
const SLUG = "must be lower-case letters, digits and hyphens";

/** A required text. */
export const text = z.string(TEXT).trim().min(1, TEXT);

export const optionalText = text.nullable().default(null);

/** A list of texts, empty if missing. */
export const texts = z.array(text, "must be a list of texts").default([]);

const ADDRESS = "must be an address that begins with https://";

/** The address of a page on another site. */
export const address = z
  .string(ADDRESS)
  .refine((value) => value.startsWith("https://") && URL.canParse(value), ADDRESS);

/** A name for use in addresses and texts. */
export const slug = z.string(SLUG).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, SLUG);

/** True or false; false if missing. */
export const flag = z.boolean("must be true or false").default(false);

export const optionalNumber = z.number("must be a number").nullable().default(null);

/** A calendar date as YYYY-MM-DD. */
export const date = z.iso.date("must be a date such as 2025-04-01");

/** A month as YYYY-MM, or null. */
export const optionalMonth = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-11")
  .nullable()
  .default(null);

export const optionalDate = date.nullable().default(null);

/** A whole number from `low` to `high`. */
export function wholeNumber(low: number, high: number) {
  const message = `must be a number from ${low} to ${high}`;
  return z.int(message).min(low, message).max(high, message);
}

/** One of a few texts. */
export function oneOf<Choice extends string>(choices: readonly Choice[]) {
  return z.enum(choices, `must be one of ${choices.join(", ")}`);
}

/** The name of one of the drawings, as `drawings/read.ts` returns them. */
export function drawingName(drawings: object) {
  return text.refine((name) => Object.hasOwn(drawings, name), {
    error: ({ input }) => `there is no drawing ${String(input)}`,
  });
}

/** A table with these fields and no others. */
export function table<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? `unknown key; known are ${known}` : "the table is missing"),
  });
}

/** A list of at least one such table. */
export function tables<Shape extends z.ZodRawShape>(shape: Shape) {
  const message = "a list of tables is missing";
  return z.array(table(shape), message).min(1, message);
}

/** Such a list, in which no two tables have the same value of a key. */
export function distinctTables<Shape extends z.ZodRawShape>(shape: Shape, ...keys: (keyof Shape & string)[]) {
  return tables(shape).superRefine((entries: readonly Record<string, unknown>[], { addIssue }) => {
    for (const key of keys)
      for (const [index, { [key]: value }] of entries.entries())
        if (entries.findIndex((other) => other[key] === value) !== index)
          addIssue({ code: "custom", path: [index, key], message: `${value} stands twice` });
  });
}
