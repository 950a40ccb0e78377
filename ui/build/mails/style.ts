import type { FindColour } from "../palette.ts";

const TEXT_FONT = "'Source Sans 3', 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const HEADING_FONT = "Besley, Rockwell, 'Roboto Slab', Georgia, serif";

/**
 * The colours of each class, by the variables of `tokens.css`. Light colours are inline, because some programs drop style
 * sheets; in dark mode, a style sheet overrides them.
 */
const COLOURS: Record<string, Record<string, string>> = {
  page: { "background-color": "--paper", color: "--ink" },
  card: { "background-color": "--surface", color: "--ink", "border-color": "--line" },
  ink: { color: "--ink" },
  rule: { "border-color": "--ink" },
  soft: { color: "--ink-soft" },
  line: { "border-color": "--line" },
  link: { color: "--link" },
  quote: { "background-color": "--paper", color: "--ink", "border-color": "--brick" },
  button: { "background-color": "--signal", color: "--on-signal", "border-color": "--signal" },
};

const RULES: Record<string, string> = {
  page: `margin:0;padding:24px 12px;font-family:${TEXT_FONT};font-size:17px;line-height:1.55;word-break:break-word;-webkit-text-size-adjust:100%`,
  column: "max-width:600px;margin:0 auto",
  brand: `margin:0 0 20px;padding:0 4px 12px;border-bottom:2px solid;font-family:${HEADING_FONT};font-size:18px;font-weight:600;line-height:1.3`,
  card: "padding:28px 24px 12px;border:1px solid;border-radius:3px",
  heading1: `margin:0 0 16px;font-family:${HEADING_FONT};font-size:25px;font-weight:600;line-height:1.25`,
  heading2: `margin:28px 0 10px;font-family:${HEADING_FONT};font-size:18px;font-weight:600;line-height:1.3`,
  paragraph: "margin:0 0 16px",
  list: "margin:0 0 16px;padding:0 0 0 20px",
  item: "margin:0 0 6px",
  facts: "width:100%;margin:0 0 20px;border-collapse:collapse;border-top:1px solid;table-layout:fixed",
  // Table cells, because they keep long names and values in their columns in every program.
  factName:
    "width:144px;padding:8px 8px 8px 0;border-bottom:1px solid;vertical-align:top;text-align:left;font-weight:400",
  fact: "padding:8px 0;border-bottom:1px solid;vertical-align:top",
  // A command to copy.
  code: "font-family:Consolas,Menlo,'DejaVu Sans Mono',monospace;font-size:15px",
  quote: "margin:0 0 20px;padding:12px 16px;border-left:4px solid;white-space:pre-line",
  buttonLine: "margin:24px 0 10px",
  // The border serves as padding: Word, which renders mails in Outlook, ignores the padding of links.
  button:
    "display:inline-block;border-style:solid;border-width:14px 26px;border-radius:3px;font-size:17px;font-weight:700;line-height:1.2;text-decoration:none",
  address: "margin:0 0 24px;font-size:14px;line-height:1.45",
  rule: "margin:24px 0;border:0;border-top:1px solid",
  footer: "padding:20px 4px 0;font-size:14px;line-height:1.5",
  small: "margin:0 0 10px",
  hidden: "display:none;max-height:0;overflow:hidden;mso-hide:all",
};

/** Returns a function that turns the names of a rule and of colours into attributes. */
export function mailStyles(colour: FindColour) {
  return (rule: string, ...classes: string[]): string => {
    const colours = classes.flatMap((name) =>
      Object.entries(COLOURS[name] ?? {}).map(([property, variable]) => `${property}:${colour(variable)}`),
    );
    const style = [RULES[rule], ...colours].filter(Boolean).join(";");
    return `${classes.length > 0 ? ` class="${classes.join(" ")}"` : ""} style="${style}"`;
  };
}

/** The class of both cells of a fact, which a phone shows one below the other. */
export const CELL = "cell";

/** Returns the style sheet for narrow screens and dark mode. */
export function mailSheet(dark: FindColour) {
  const rules = Object.entries(COLOURS).map(([name, colours]) => {
    const declarations = Object.entries(colours).map(
      ([property, variable]) => `${property}:${dark(variable)} !important`,
    );
    return `.${name}{${declarations.join(";")}}`;
  });
  const narrow = `@media (max-width:420px){.${CELL}{display:block !important;width:auto !important}.${CELL}:first-child{padding-bottom:0 !important;border:0 !important}.${CELL}+.${CELL}{padding-top:0 !important}}`;
  return `:root{color-scheme:light dark}${narrow}@media (prefers-color-scheme:dark){${rules.join("")}}`;
}
