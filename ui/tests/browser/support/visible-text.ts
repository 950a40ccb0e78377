/** Returns what a visitor reads or hears: texts and spoken attributes, without code, styles and addresses. */
export function visibleText(html: string): string {
  const attributes = [...html.matchAll(/\s(?:alt|title|aria-label|placeholder)="([^"]*)"/g)];
  const descriptions = [
    ...html.matchAll(/<meta (?:name|property)="(?:description|keywords|og:title)" content="([^"]*)"/g),
  ];
  const shown = html
    .replace(/<(script|style|code)\b[^>]*>.*?<\/\1>/gs, " ")
    .replace(PARTS_OF_WORDS, "")
    .replace(/<[^>]*>/g, "\n");
  const spoken = [...attributes, ...descriptions].map(([, text = ""]) => text);
  return [shown, ...spoken].map(unescape).join("\n").replaceAll("\u00ad", "").replace(ADDRESSES, " ");
}

/** Marks that may stand within a word; all others end it. */
const PARTS_OF_WORDS = /<\/?(?:b|em|i|strong|sub|sup)\b[^>]*>|<!-- -->/g;

/** E-mail and web addresses, paths and file names, which are not words. */
const ADDRESSES =
  /\S*(?:@|:\/\/|\/[a-z])\S*|\S+\.(?:de|be|com|org|net|io|eu|edu|gov|news|berlin|hamburg|nrw|it|png|svg|example)\b/g;

const ENTITIES: Record<string, string> = { amp: "&", quot: '"', lt: "<", gt: ">", nbsp: "\u00a0" };

function unescape(text: string): string {
  return text.replace(/&(?:(\w+)|#x([0-9a-f]+)|#(\d+));/gi, (whole, name?: string, hex?: string, decimal?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
