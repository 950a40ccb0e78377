/** A template expression within JSON. The server replaces it with its value as JSON. */
export class Expression {
  constructor(
    readonly value: string,
    /** An expression. If its value is absent or empty, the member is left out of the object. */
    readonly condition?: string,
  ) {}
}

/** Returns an expression for the site's origin followed by a path. */
export function address(path: string): Expression {
  return new Expression(`origin ~ ${JSON.stringify(path)}`);
}

/** JSON-LD that may contain expressions anywhere. */
export type TemplateJson =
  | string
  | number
  | boolean
  | null
  | Expression
  | TemplateJson[]
  | { [key: string]: TemplateJson | undefined };

/** Returns JSON for a script element, with expressions in template syntax. Escapes `</script>` and `{{`. */
export function toTemplate(value: TemplateJson | undefined): string {
  if (value instanceof Expression) return expressionSource(value);
  if (Array.isArray(value)) return `[${value.map(toTemplate).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${members(value)}}`;
  }
  return escaped(value ?? null);
}

/** Writes the members that are always present, then those that depend on a setting, each with its comma. */
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
