import type { FindColour } from "./palette.ts";

/** Returns the logo on a grid of 40 units: a stepped gable, and a bird that does not land on it. */
export function logo(colour: FindColour) {
  return `<g fill="none" stroke-width="2.6" stroke-linejoin="round" stroke-linecap="round">
<path stroke="${colour("--on-harbour")}" d="M5 36V25h5v-6h5v-6h10v6h5v6h5v11M16 36v-9h8v9"/>
<path stroke="${colour("--signal")}" d="M12 7c3-2 6-1 8 2 2-3 5-4 8-2"/></g>`;
}

/** Returns the logo on a square of harbour blue. `padding` is in units of its grid. */
export function logoSvg(colour: FindColour, padding: number) {
  const size = 40 + 2 * padding;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-padding} ${-padding} ${size} ${size}">
<rect x="${-padding}" y="${-padding}" width="${size}" height="${size}" fill="${colour("--harbour")}"/>${logo(colour)}</svg>`;
}

/** Returns the icon for browser tabs, with rounded corners. */
export function favicon(colour: FindColour) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="6" fill="${colour("--harbour")}"/>${logo(colour)}</svg>\n`;
}
