/** Anything with fewer words is a label rather than a sentence, and may be repeated. */
const FEWEST_WORDS = 6;

/** Points of abbreviations or numbers, which end no sentence. */
const ABBREVIATIONS = /\b(?:Abs|Art|Nr|Satz|bzw|ca|etc|evtl|ggf|inkl|usw|vgl|z\. B|d\. h|u\. a|\d+)\.\s/g;

const SPLIT = /(?<=[.!?:;])["“”)]?\s+|\n/;

/** Returns the sentences of a text in lower case and without punctuation, so that an extra comma does not hide a copy. */
export function sentencesOf(plain: string): string[] {
  const parts = plain.replace(ABBREVIATIONS, (found) => found.replace(".", "")).split(SPLIT);
  const sentences = parts.map((part) => (part.toLowerCase().match(/[\p{L}\p{N}§]+/gu) ?? []).join(" "));
  return sentences.filter((sentence) => sentence.split(" ").length >= FEWEST_WORDS);
}

/** Returns sentences that occur more than once, with the ids of their texts. */
export function repeated(texts: { id: string; plain: string }[]): string[] {
  const places = new Map<string, string[]>();
  for (const { id, plain } of texts) {
    for (const sentence of sentencesOf(plain)) places.set(sentence, [...(places.get(sentence) ?? []), id]);
  }
  return [...places].flatMap(([sentence, ids]) => (ids.length > 1 ? [`${ids.join(", ")}: ${sentence}`] : []));
}
