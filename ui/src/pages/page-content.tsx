import type { ReactNode } from "react";
import { ArticlePage } from "./article.tsx";
import { BlogPage } from "./blog.tsx";
import { CategoryPage } from "./category.tsx";
import { CookieText } from "./cookie-text.tsx";
import { FaqPage } from "./faq.tsx";
import { HomePage } from "./home.tsx";
import { NotFoundPage } from "./not-found.tsx";
import { SitemapPage } from "./sitemap.tsx";
import { TextPageContent } from "./text-page.tsx";
import { PlainForm } from "../questionnaire/plain/plain-form.tsx";
import { findTextPage } from "../routes/text-pages.ts";
import { ThankYouArticles } from "./thank-you-articles.tsx";

/**
 * Returns what the page at an encoded path shows and the build alone renders: all of it, except for the three screens
 * (`src/screens/`) that are code in the browser. The browser's code must import nothing from this folder.
 */
export function pageContent(path: string): ReactNode {
  switch (path) {
    case "/":
      return <HomePage />;
    case "/fragebogen":
      return <PlainForm />;
    case "/danke":
      return <ThankYouArticles />;
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
  return text ? <TextPageContent page={text} /> : <NotFoundPage />;
}
