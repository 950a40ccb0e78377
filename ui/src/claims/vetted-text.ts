/**
 * Returns template source for one of two texts: the first calls firms vetted. For texts that are no elements, such as
 * descriptions; only pages that are rendered at build time may hold them.
 */
export function vettedText(vetted: string, otherwise: string): string {
  return `{% if site.vetted %}${vetted}{% else %}${otherwise}{% endif %}`;
}
