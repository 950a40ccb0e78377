/** An expression or a tag of the template language. */
export const TEMPLATE = /\{\{.*?\}\}|\{%.*?%\}/g;

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for HTML, except for its expressions, which the server escapes when it fills them in. */
export function escapeHtml(text: string) {
  const expressions = text.match(TEMPLATE) ?? [];
  return text
    .split(TEMPLATE)
    .map((part, index) => part.replaceAll(/[&<>"]/g, entity) + (expressions[index] ?? ""))
    .join("");
}

function entity(character: string) {
  return ENTITIES[character as keyof typeof ENTITIES];
}
