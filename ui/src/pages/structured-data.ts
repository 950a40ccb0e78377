import { type Article, findArticle, lastChange, type Source } from "../blog/articles.ts";
import { categoryPath, findCategory } from "../blog/categories.ts";
import { entries, reviewed, sources } from "./faq-texts.ts";
import { routes } from "./routes.tsx";
import { articleDescription, cardPath, DEFAULT_CARD, PLAIN_CARD } from "./page-meta.ts";
import { address, Expression, toTemplate } from "./template-json.ts";

/** Short enough not to be truncated: search results show some 150 characters. */
const DESCRIPTION = "Kostenlose Vermittlung für Taubenabwehr in Hamburg und Umkreis, Postleitzahlen 20000 bis 22999: ";

/**
 * Returns the JSON-LD blocks of the page at a decoded path, in template syntax. No ratings: they would be self-serving.
 */
export function structuredData(path: string): string[] {
  const article = findArticle(path.replace("/blog/", ""));
  const blocks: object[] = [business(), webSite(), breadcrumbs(path)];
  if (path === "/faq") blocks.push(faqPage());
  if (article) blocks.push(blogPosting(article));
  return blocks.map((block) => toTemplate({ "@context": "https://schema.org", ...block }));
}

function setting(name: string): Expression {
  return new Expression(`site.${name}`, `site.${name}`);
}

function business(): object {
  return {
    "@type": "LocalBusiness",
    "@id": address("/#business"),
    name: setting("name"),
    legalName: setting("operator.legal_name"),
    description: new Expression(`${JSON.stringify(DESCRIPTION)} ~ site.offered ~ "."`),
    url: address("/"),
    image: new Expression(`origin ~ ("${DEFAULT_CARD}" if site.vetted else "${PLAIN_CARD}")`),
    telephone: setting("operator.phone"),
    email: setting("operator.email"),
    priceRange: setting("business.price_range"),
    address: {
      "@type": "PostalAddress",
      streetAddress: setting("operator.street"),
      postalCode: setting("operator.postal_code"),
      addressLocality: setting("operator.city"),
      addressCountry: "DE",
    },
    geo: new Expression(
      '{"@type": "GeoCoordinates", "latitude": site.business.latitude, "longitude": site.business.longitude}',
      "site.business.latitude and site.business.longitude",
    ),
    areaServed: { "@type": "City", name: "Hamburg" },
    sameAs: setting("links.social"),
    openingHours: setting("business.opening_hours"),
  };
}

function webSite(): object {
  return {
    "@type": "WebSite",
    "@id": address("/#website"),
    name: setting("name"),
    url: address("/"),
    inLanguage: "de",
    potentialAction: {
      "@type": "SearchAction",
      target: { "@type": "EntryPoint", urlTemplate: address("/search?q={term}") },
      "query-input": "required name=term",
    },
  };
}

function breadcrumbs(path: string): object {
  const items = trail(path).map(({ name, href }, index) => ({
    "@type": "ListItem",
    position: index + 1,
    name,
    item: address(href),
  }));
  return { "@type": "BreadcrumbList", itemListElement: items };
}

function trail(path: string): { name: string; href: string }[] {
  const home = { name: "Startseite", href: "/" };
  const blog = { name: "Ratgeber", href: "/blog" };
  const article = findArticle(path.replace("/blog/", ""));
  const category = findCategory(path.replace("/blog/kategorie/", ""));
  const fixed = routes.find((route) => route.path === path);
  if (path === "/") return [home];
  if (article) return [home, blog, { name: article.title, href: path }];
  if (category) return [home, blog, { name: category.name, href: categoryPath(category.slug) }];
  return fixed ? [home, { name: fixed.title, href: path }] : [home];
}

function faqPage(): object {
  const questions = entries.map(({ question, answer }) => ({
    "@type": "Question",
    name: question,
    acceptedAnswer: { "@type": "Answer", text: answer },
  }));
  return { "@type": "FAQPage", mainEntity: questions, dateModified: reviewed, citation: sources.map(citation) };
}

function blogPosting(article: Article): object {
  const url = address(`/blog/${article.id}`);
  return {
    "@type": "BlogPosting",
    headline: article.title,
    description: articleDescription(article),
    datePublished: article.date,
    dateModified: lastChange(article),
    abstract: article.summary,
    inLanguage: "de",
    author: { "@type": "Organization", name: new Expression('"Redaktion " ~ site.name'), url: address("/") },
    publisher: { "@type": "Organization", "@id": address("/#business"), name: setting("name") },
    image: address(cardPath(`/blog/${article.id}`)),
    articleSection: article.categories[0] ?? null,
    keywords: article.tags.join(", "),
    citation: article.sources.map(citation),
    mainEntityOfPage: url,
    url,
  };
}

/** Kinds of sources for which schema.org has its own type. */
const WORKS: Partial<Record<Source["kind"], string>> = { statute: "Legislation", study: "ScholarlyArticle" };

function citation({ kind, title, reference, publisher, url }: Source): object {
  return {
    "@type": WORKS[kind] ?? "CreativeWork",
    name: reference ? `${title}, ${reference}` : title,
    // For studies, the publisher names people, not an organization.
    ...(kind === "study" ? { creditText: publisher } : { publisher: { "@type": "Organization", name: publisher } }),
    url: url ?? undefined,
  };
}
