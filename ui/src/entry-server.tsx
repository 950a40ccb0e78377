import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { prerenderToNodeStream } from "react-dom/static";
import { StaticRouter } from "react-router";
import { text } from "node:stream/consumers";
import { App } from "./app.tsx";
import { SpriteFile } from "./pages/sprite-file.tsx";
import { pageContent } from "./pages/page-content.tsx";
import { privatePages } from "./private/pages.tsx";
import { PrivateLayout } from "./private/private-layout.tsx";
import { RouterKit } from "./routing/router-kit.tsx";
import { onePage, PagesContext } from "./static/pages.ts";

export { needsForms } from "./chunks/chunks.ts";
export { asciiPath } from "./meta/card.ts";
export { listCards } from "./meta/card-list.ts";
export { listPages, listAliases, listFeed, missingPages } from "./meta/page-list.ts";
export { structuredData } from "./meta/structured-data.ts";
export { labels } from "./private/labels.ts";

/** The elements that belong into the document's head. React renders them first. */
const HOISTED = /^(?:<title>[^<]*<\/title>|<meta [^>]*\/>|<link [^>]*\/>)*/;

/**
 * Renders the page at an encoded path, in template mode: the elements of its head and its body. Its content is
 * rendered first, because the app takes it as HTML, here as in the browser.
 */
export async function render(path: string): Promise<{ head: string; body: string }> {
  const at = (children: ReactNode) => (
    <StaticRouter location={path}>
      <RouterKit>{children}</RouterKit>
    </StaticRouter>
  );
  const part = split(renderToStaticMarkup(at(pageContent(path))));
  const pages = onePage({ path, head: [], html: part.body, isUnknownRoute: false });
  const { prelude } = await prerenderToNodeStream(<PagesContext value={pages}>{at(<App />)}</PagesContext>, {
    progressiveChunkSize: Number.MAX_SAFE_INTEGER, // in one piece: React moves large ones with inline scripts
    onError: (error) => {
      throw error;
    },
  });
  const { head, body } = split(await text(prelude));
  return { head: part.head + head, body };
}

/** Renders the private pages, in template mode. They are plain HTML: no script ever runs on them. */
export function renderPrivatePages(): { name: string; title: string; body: string }[] {
  return privatePages.map(({ name, title, Content }) => {
    const page = (
      <StaticRouter location="/">
        <RouterKit>
          <PrivateLayout>
            <Content />
          </PrivateLayout>
        </RouterKit>
      </StaticRouter>
    );
    return { name, title, body: renderToStaticMarkup(page) };
  });
}

/** Renders the file of drawings that pages refer to. */
export function renderSprite(): string {
  return renderToStaticMarkup(<SpriteFile />);
}

function split(rendered: string): { head: string; body: string } {
  const [head = ""] = HOISTED.exec(rendered) ?? [];
  return { head, body: rendered.slice(head.length) };
}
