import { renderToStaticMarkup } from "react-dom/server";
import { Layout } from "./layout/layout.tsx";
import { PageHead } from "./pages/page-head.tsx";
import { pageAt } from "./pages/routes.tsx";
import { DeskLayout } from "./desk/desk-layout.tsx";
import { deskPages } from "./desk/pages.tsx";
import { privatePages } from "./private/pages.tsx";
import { PrivateLayout } from "./private/private-layout.tsx";

export { asciiPath } from "./pages/page-meta.ts";
export { listAliases, listCards, listFeed, listPages, missingPages } from "./pages/page-list.ts";
export { structuredData } from "./pages/structured-data.ts";
export { reportMap } from "./blog/map/report-map.tsx";

/** The elements that belong in the document's head. React renders them first. */
const HOISTED = /^(?:<title>[^<]*<\/title>|<meta [^>]*\/>|<link [^>]*\/>)*/;

/** Renders the page at an encoded path in template mode: the elements of its head, and its body. */
export function render(path: string): { head: string; body: string } {
  const { meta, content } = pageAt(path);
  const rendered = renderToStaticMarkup(
    <Layout path={path}>
      <PageHead meta={meta} />
      {content}
    </Layout>,
  );
  const [head = ""] = HOISTED.exec(rendered) ?? [];
  return { head, body: rendered.slice(head.length) };
}

/** Renders the private pages in template mode. React never runs on them in the browser. */
export function renderPrivatePages(): { name: string; title: string; body: string }[] {
  return privatePages.map(({ name, title, Content }) => {
    const page = (
      <PrivateLayout>
        <Content />
      </PrivateLayout>
    );
    return { name, title, body: renderToStaticMarkup(page) };
  });
}

/** Renders the pages of the operator's desk in the same way. */
export function renderDeskPages(): { name: string; title: string; body: string }[] {
  return deskPages.map(({ name, title, section, loggedIn, Content }) => {
    const page = (
      <DeskLayout section={section} loggedIn={loggedIn}>
        <Content />
      </DeskLayout>
    );
    return { name, title, body: renderToStaticMarkup(page) };
  });
}
