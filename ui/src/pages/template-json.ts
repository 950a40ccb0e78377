/** A template expression within JSON, which the server replaces by its value as JSON. */
export class Expression {
  constructor(
    readonly value: string,
    /** An expression. If its value is absent or empty, the member is omitted; it must not be the object's first. */
    readonly condition?: string,
  ) {}
}

/** Returns an expression for the site's origin followed by a path. */
export function address(path: string): Expression {
  return new Expression(`origin ~ ${JSON.stringify(path)}`);
}

/** Encloses an expression's number in JSON; no text contains this character. */
const MARK = "\uE000";
const PLACE = new RegExp(`(,"[^"]*":)?"${MARK}(\\d+)${MARK}"`, "g");

/** Characters that end a script element or begin template syntax. */
const UNSAFE = /[<>&]|\{(?=[{%#])/g;

/** Returns JSON for a script element, with its expressions in template syntax. */
export function toTemplate(data: object): string {
  const found: Expression[] = [];
  const json = JSON.stringify(data, (_, value: unknown) =>
    value instanceof Expression ? `${MARK}${found.push(value) - 1}${MARK}` : value,
  );
  return json.replace(UNSAFE, unicodeEscape).replace(PLACE, (_, member: string | undefined, index: string) => {
    const { value = "", condition } = found[Number(index)] ?? {};
    const filled = `${member ?? ""}{{ (${value}) | tojson }}`;
    return condition ? `{% if ${condition} %}${filled}{% endif %}` : filled;
  });
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
