export const HARBOUR = "#0d3550";
export const FOG = "#f2f6f8";
export const SIGNAL = "#ffc21f";

/** The sign on a 40-unit grid: a stepped gable, and a bird that does not land on it. */
export const SIGN = `<g fill="none" stroke-width="2.6" stroke-linejoin="round" stroke-linecap="round">
<path stroke="${FOG}" d="M5 36V25h5v-6h5v-6h10v6h5v6h5v11M16 36v-9h8v9"/>
<path stroke="${SIGNAL}" d="M12 7c3-2 6-1 8 2 2-3 5-4 8-2"/></g>`;

/** The sign on a square of harbour blue; `padding` in units of its grid. */
export function signSvg(padding) {
  const size = 40 + 2 * padding;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-padding} ${-padding} ${size} ${size}">
<rect x="${-padding}" y="${-padding}" width="${size}" height="${size}" fill="${HARBOUR}"/>${SIGN}</svg>`;
}

/** The browser tab's icon, with rounded corners. */
export function favicon() {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="6" fill="${HARBOUR}"/>${SIGN}</svg>\n`;
}
