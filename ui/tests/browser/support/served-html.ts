import { fillTemplates } from "./filled-templates.ts";
import { everyPath } from "./paths.ts";

/** All that the server sends to be read, in HTML. */
export interface ServedHtml {
  /** By path. */
  readonly pages: ReadonlyMap<string, string>;
  /** By name and state, such as `private page visitor`. */
  readonly privatePages: ReadonlyMap<string, string>;
  readonly mails: ReadonlyMap<string, { readonly subject: string; readonly html: string }>;
}

/** Fetches every page of a site, and fills every private page and mail. */
export async function readServedHtml(url: string): Promise<ServedHtml> {
  const pages = new Map<string, string>();
  for (const path of await everyPath(url)) pages.set(path, await (await fetch(url + path)).text());
  const filled = await fillTemplates();
  return {
    pages,
    privatePages: new Map(Object.entries(filled.pages).map(([name, html]) => [`private page ${name}`, html])),
    mails: new Map(Object.entries(filled.mails).map(([name, mail]) => [`mail ${name}`, mail])),
  };
}
