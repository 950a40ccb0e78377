import { transform } from "lightningcss";
import { BuildError } from "../fail.ts";

/** A rule for a single class: `.map-land{…}`, `.drawing .brick{…}`. */
const RULE = /(?<=^|[{}])((?:(?:\.drawing )?\.[\w-]+,?)+)\{([^{}]*)\}/g;
/** What paints shapes by reference: it stays in its own file, so no variable of a page reaches it. */
const PAINT = /<(?:pattern|linearGradient|radialGradient|filter|marker)\b/;
const CLASS = / class(?:Name)?="([^"]*)"/g;

/**
 * Replaces the classes of a drawing by the attributes that its rules set: no style sheet of a page reaches into another
 * file, but variables and inherited strokes do.
 */
export function withAttributes(svg: string, sheets: string[]) {
  const [paint] = PAINT.exec(svg) ?? [];
  if (paint) throw new BuildError(`the file of drawings holds ${paint}>, which would be black: draw its lines instead`);
  const rules = sheets.flatMap(rulesOf);
  return svg.replace(CLASS, (_, value) => {
    const classes = value.split(" ");
    const attributes = new Map(rules.flatMap(({ name, set }) => (classes.includes(name) ? set : [])));
    // What pages say about thin lines reaches them by a variable.
    const width = classes.includes("thin") ? `var(--draw-thin,${attributes.get("stroke-width")})` : undefined;
    if (width) attributes.set("stroke-width", width);
    return [...attributes].map(([name, text]) => ` ${name}="${text}"`).join("");
  });
}

function rulesOf(sheet: string): { name: string; set: [string, string][] }[] {
  const { code } = transform({ filename: "drawings.css", code: Buffer.from(sheet), minify: true });
  // Queries come with rules of their own, which no attribute can follow.
  const css = code.toString().replace(/@[^{]*\{(?:[^{}]|\{[^{}]*\})*\}/g, "");
  return [...css.matchAll(RULE)].flatMap(([, selectors = "", body = ""]) =>
    selectors.split(",").map((selector) => ({
      name: selector.replace(/^.*\./, ""),
      set: body.split(";").map((declaration) => {
        const [name = "", value = ""] = declaration.split(":");
        return [name, value] as [string, string];
      }),
    })),
  );
}
