import { TEMPLATE } from "./expressions.mjs";

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for HTML, except for the expressions in it, which the server escapes when it fills them in. @param {string} text */
export function escapeHtml(text) {
  const expressions = text.match(TEMPLATE) ?? [];
  return text
    .split(TEMPLATE)
    .map((part, index) => part.replaceAll(/[&<>"]/g, entity) + (expressions[index] ?? ""))
    .join("");
}

/** @param {string} character */
function entity(character) {
  return ENTITIES[/** @type {keyof typeof ENTITIES} */ (character)];
}
