import { renderToStaticMarkup } from "react-dom/server";
import { ProseBody } from "../prose/prose-body.tsx";
import { SettingsProvider } from "../template/settings.tsx";
import type { Settings } from "../template/site-settings.ts";

/** Text in drawings and text for screen readers, which both repeat visible text. */
const REPEATED = /<svg.*?<\/svg>|<(\w+) class="visually-hidden".*?<\/\1>/gs;
const TAG = /<[^>]+>/g;
const ENTITY = /&[^;]+;/g;

/**
 * Counts the words that a text of `content/` shows, including those in attributes of blocks and those that blocks add,
 * but not those that depend on a setting. Only for pages that are rendered at build time.
 */
export function shownWords(body: string): number {
  const html = renderToStaticMarkup(
    <SettingsProvider value={NO_SETTINGS}>
      <ProseBody id={body} />
    </SettingsProvider>,
  );
  const text = html.replace(REPEATED, " ").replace(TAG, " ").replace(ENTITY, "");
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const NO_SETTINGS = {} as Settings;

/** Reading speed in words per minute. */
const WORDS_PER_MINUTE = 225;

/** Returns the reading time in whole minutes, at least one. */
export function readingMinutes(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}
