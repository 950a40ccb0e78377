import type { ReactNode } from "react";
import { ArticlePage } from "./article.tsx";
import { BlogPage } from "./blog.tsx";
import { CategoryPage } from "./category.tsx";
import { CookieText } from "./cookie-text.tsx";
import { FaqPage } from "./faq.tsx";
import { HomePage } from "./home.tsx";
import { NotFoundPage } from "./not-found.tsx";
import { SitemapPage } from "./sitemap.tsx";
import { Teasers } from "./teasers.tsx";
import { TextPageScreen } from "./text-page.tsx";
import { findTextPage } from "./text-pages.ts";

/**
 * What of the page at an encoded path is rendered at build time only: all of it, except for the three screens
 * (`src/screens/`) that are code in the browser. Nothing of this folder may be imported by the browser's code.
 */
export function staticPart(path: string): ReactNode {
  switch (path) {
    case "/":
      return <HomePage />;
    case "/fragebogen":
      return null;
    case "/danke":
      return <Teasers />;
    case "/cookie-einstellungen":
      return <CookieText />;
    case "/faq":
      return <FaqPage />;
    case "/blog":
      return <BlogPage />;
    case "/sitemap":
      return <SitemapPage />;
  }
  const [, category] = /^\/blog\/kategorie\/(.+)$/.exec(path) ?? [];
  if (category) return <CategoryPage slug={decodeURIComponent(category)} />;
  const [, article] = /^\/blog\/(.+)$/.exec(path) ?? [];
  if (article) return <ArticlePage id={article} />;
  const text = findTextPage(path.slice(1));
  return text ? <TextPageScreen page={text} /> : <NotFoundPage />;
}
