/** Words that people read in a minute. */
const WORDS_PER_MINUTE = 225;

/** Returns the reading time in whole minutes, at least one. */
export function readingMinutes(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}
