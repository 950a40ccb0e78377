/** A template expression inside JSON: the server replaces it with the JSON of its value. */
export class Expression {
  constructor(
    readonly value: string,
    /** An expression; where it is absent (or empty) an object is without the member. */
    readonly condition?: string,
  ) {}
}

/** The origin of the site followed by a path that this site knows. */
export function address(path: string): Expression {
  return new Expression(`origin ~ ${JSON.stringify(path)}`);
}

/** Values of JSON-LD, in which expressions may stand anywhere. */
export type TemplateJson =
  | string
  | number
  | boolean
  | null
  | Expression
  | TemplateJson[]
  | { [key: string]: TemplateJson | undefined };

/** JSON for a script element, with the expressions in template syntax. Safe against `</script>` and `{{`. */
export function toTemplate(value: TemplateJson | undefined): string {
  if (value instanceof Expression) return expressionSource(value);
  if (Array.isArray(value)) return `[${value.map(toTemplate).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${members(value)}}`;
  }
  return escaped(value ?? null);
}

/** The members that are always there, then those that depend on a setting, each with its comma. */
function members(object: { [key: string]: TemplateJson | undefined }): string {
  const present = Object.entries(object).filter(([, member]) => member !== undefined);
  const sources = present.map(([key, member]) => ({
    source: `${escaped(key)}:${toTemplate(member)}`,
    condition: member instanceof Expression ? member.condition : undefined,
  }));
  const always = sources.filter(({ condition }) => condition === undefined);
  const sometimes = sources.filter(({ condition }) => condition !== undefined);
  if (always.length === 0) throw new Error("An object needs a member that is always there, for the commas.");
  return [
    always.map(({ source }) => source).join(","),
    ...sometimes.map(({ source, condition }) => `{% if ${condition} %},${source}{% endif %}`),
  ].join("");
}

function expressionSource({ value }: Expression): string {
  return `{{ (${value}) | tojson }}`;
}

function escaped(value: string | number | boolean | null): string {
  return JSON.stringify(value).replace(/[<>&{}]/g, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
