/** A template expression within JSON. The server replaces it with its value as JSON. */
export class Expression {
  constructor(
    readonly value: string,
    /** An expression. If its value is absent or empty, the member is left out of the object, whose first it cannot be. */
    readonly condition?: string,
  ) {}
}

/** Returns an expression for the site's origin followed by a path. */
export function address(path: string): Expression {
  return new Expression(`origin ~ ${JSON.stringify(path)}`);
}

/** Stands at both sides of an expression's number in JSON: no text has this character. */
const MARK = "\uE000";
const PLACE = new RegExp(`(,"[^"]*":)?"${MARK}(\\d+)${MARK}"`, "g");

/** What ends a script element, or begins template syntax. */
const UNSAFE = /[<>&]|\{(?=[{%#])/g;

/** Returns JSON for a script element, with the expressions in it in template syntax. */
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
