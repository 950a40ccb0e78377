import type { Source } from "./source.ts";
import { z } from "zod";
import { distinctTables, optionalText, slug, table, text, wholeNumber } from "./fields.ts";
import { readToml } from "./toml.ts";

export type Inquiry = Awaited<ReturnType<typeof readInquiry>>;

/** Stores keep the number in one byte. */
const LAST_NUMBER = 255;
/** Far more than any field can hold within a request's 16 KiB. */
const LONGEST = 10_000;

/** The option that opens a free text field; the code knows it. */
const OTHER = "other";

/** A name in the code of both sides, whose compilers notice a missing one. */
const name = z.string().regex(/^[a-z_]+$/, "must be lower-case words joined by underscores");
const limit = wholeNumber(1, LONGEST);
const options = distinctTables({ id: slug, number: wholeNumber(0, LAST_NUMBER), label: text }, "id", "number");
const message = table({ title: text, description: optionalText, missing: optionalText });

const FILE = table({
  type: options,
  property: distinctTables({ id: slug, type: text, subtype: slug.default(""), label: text }, "id"),
  problem: options,
  location: options,
  limits: z.record(name, limit),
  messages: z.record(name, message),
  preselect: table({
    property_type: z.record(slug, text),
    problem: z.record(slug, table({ type: optionalText, location: optionalText })),
  }),
});

/** Reads the questionnaire's options, and its messages about invalid answers. */
export async function readInquiry(file: string) {
  const source = await readToml(file);
  const { type: types, property: properties, problem: problems, location: locations, ...rest } = source.read(FILE);
  const { limits, messages, preselect } = rest;
  for (const [index, { id, type, subtype }] of properties.entries()) {
    const at = source.complainAt("property", index);
    if (!types.some((known) => known.id === type)) at("type", `there is no type ${type}`);
    const expected = subtype === "" ? type : `${type}-${subtype}`;
    if (id !== expected) at("id", `must be ${expected}, its type and subtype`);
  }
  for (const [key, options] of [
    ["problem", problems],
    ["location", locations],
  ] as const) {
    if (options.findIndex(({ id }) => id === OTHER) !== options.length - 1)
      source.fail([key, options.length - 1, "id"], `the last option must be ${OTHER}, and no other may be`);
  }
  checkPreselection(source, preselect, { types, locations });
  const filled = Object.entries(messages).map(([name, { title, description, missing }]) => {
    const fill = fillWith(limits, source.complainAt("messages", name));
    const filledIn = { title: fill("title", title), description: description && fill("description", description) };
    return [name, { ...filledIn, missing }] as const;
  });
  return { types, properties, problems, locations, limits, messages: Object.fromEntries(filled), preselect };
}

function checkPreselection(
  source: Source,
  preselect: z.output<typeof FILE>["preselect"],
  { types, locations }: Record<"types" | "locations", readonly { id: string }[]>,
) {
  const check: (path: string[], id: string | null, known: readonly { id: string }[]) => void = (path, id, known) => {
    if (id !== null && !known.some((option) => option.id === id))
      source.fail(
        ["preselect", ...path],
        `there is no ${id}; known are ${known.map((option) => option.id).join(", ")}`,
      );
  };
  for (const [name, type] of Object.entries(preselect.property_type)) check(["property_type", name], type, types);
  for (const [name, { type, location }] of Object.entries(preselect.problem)) {
    check(["problem", name, "type"], type, types);
    check(["problem", name, "location"], location, locations);
  }
}

/** Returns a function that inserts limits into a text. */
function fillWith(limits: Record<string, number>, complain: (key: string, message: string) => never) {
  return (key: string, text: string): string =>
    text.replace(/\{(\w*)\}/g, (_, name: string) => {
      const found = limits[name];
      if (found === undefined) complain(key, `there is no limit ${name}; known are ${Object.keys(limits).join(", ")}`);
      return String(found);
    });
}

/** Returns the module that the browser's code imports. */
export function inquiryModule(inquiry: Inquiry) {
  return `export default ${JSON.stringify(inquiry, null, 1)} as const;\n`;
}
