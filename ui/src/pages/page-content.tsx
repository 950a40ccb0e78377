import type { ReactNode } from "react";
import { matchPath } from "react-router";
import { ArticlePage } from "./article.tsx";
import { BlogPage } from "./blog.tsx";
import { CategoryPage } from "./category.tsx";
import { CookieSettingsPage } from "./cookie-settings.tsx";
import { FaqPage } from "./faq.tsx";
import { HomePage } from "./home.tsx";
import { NotFoundPage } from "./not-found.tsx";
import { QuestionnairePage } from "./questionnaire.tsx";
import { SitemapPage } from "./sitemap.tsx";
import { TextPageContent } from "./text-page.tsx";
import { findTextPage } from "../routes/text-pages.ts";
import { ThankYouPage } from "./thank-you.tsx";

/** Returns the content of the page at an encoded path. The browser's code must import nothing from this folder. */
export function pageContent(path: string): ReactNode {
  switch (path) {
    case "/":
      return <HomePage />;
    case "/fragebogen":
      return <QuestionnairePage />;
    case "/danke":
      return <ThankYouPage />;
    case "/cookie-einstellungen":
      return <CookieSettingsPage />;
    case "/faq":
      return <FaqPage />;
    case "/blog":
      return <BlogPage />;
    case "/sitemap":
      return <SitemapPage />;
  }
  const category = matchPath("/blog/kategorie/:slug", path)?.params.slug;
  if (category) return <CategoryPage slug={decodeURIComponent(category)} />;
  const article = matchPath("/blog/:id", path)?.params.id;
  if (article) return <ArticlePage id={article} />;
  const text = findTextPage(path.slice(1));
  return text ? <TextPageContent page={text} /> : <NotFoundPage />;
}
