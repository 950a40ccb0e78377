import { createHash } from "node:crypto";
import { BuildError } from "./fail.ts";

const ELEMENTS = /<(style|script)\b([^>]*)>([\s\S]*?)<\/\1>/g;

/** Data blocks, which browsers do not run. */
const DATA = /type="application\/(?:ld\+)?json"/;

/** Marks text that the server does not search for expressions. */
const RAW = { start: "{% raw %}", end: "{% endraw %}" };

/** A page's inline scripts and styles, as sources of a content security policy. */
export interface Inline {
  styles: string[];
  scripts: string[];
}

/** Returns an element that the server leaves unchanged, so that its hash is already known. */
export function inlineElement(name: "style" | "script", content: string) {
  if (content.includes(`</${name}`) || content.includes(RAW.end)) throw new BuildError(`a ${name} would end early`);
  return `${RAW.start}<${name}>${content}</${name}>${RAW.end}`;
}

/** Returns the hashes of the styles and scripts in a page. The server's policy allows no others. */
export function inlineHashes(template: string): Inline {
  const found: Inline = { styles: [], scripts: [] };
  const fixed = withoutRaw(template);
  for (const [element, name, attributes = "", content = ""] of template.matchAll(ELEMENTS)) {
    if (attributes.includes(" src=") || DATA.test(attributes)) continue;
    if (fixed.includes(element))
      throw new BuildError(`an inline ${name} is not marked as raw: ${element.slice(0, 60)}`);
    const hash = createHash("sha256").update(content).digest("base64");
    found[name === "style" ? "styles" : "scripts"].push(`sha256-${hash}`);
  }
  return found;
}

/** Returns the part of a template that the server evaluates. */
export function withoutRaw(template: string) {
  return template.replace(/\{% raw %\}[\s\S]*?\{% endraw %\}/g, "");
}
