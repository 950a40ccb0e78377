import { either } from "../template/template.tsx";
import type { Route } from "./route.ts";
import { questionnaireRoute, thankYouRoute } from "./form-routes.ts";
import { textPages, type TextPage } from "./text-pages.ts";

/** Every fixed route, in the order of the sitemap page. For the build only: the browser asks the server. */
export const routes: Route[] = [
  {
    path: "/",
    title: "Startseite",
    description: `Taubenproblem in Hamburg? Kostenlos anfragen und bis zu drei Angebote ${either("site.vetted", "geprüfter Fachbetriebe", "von Fachbetrieben")} für Spikes, Netze, Reinigung und Vergrämung vergleichen.`,
    keywords: ["Taubenabwehr Hamburg", "Taubenschutz", "Taubenspikes", "Taubennetz", "Taubenkot entfernen"],
    indexable: true,
    group: "main",
  },
  questionnaireRoute,
  {
    path: "/blog",
    title: "Ratgeber Taubenabwehr",
    description:
      "Ratgeber zu Kosten, Recht, Methoden und Reinigung: Was gegen Tauben an Balkon, Dach und Fassade in Hamburg wirklich hilft.",
    keywords: ["Ratgeber Tauben", "Taubenabwehr Tipps", "Tauben Hamburg"],
    indexable: true,
    group: "main",
  },
  {
    path: "/faq",
    title: "Häufige Fragen",
    description:
      "Antworten zu Methoden, Tierschutz, Montage, Kosten, Lebensdauer, Denkmalschutz und Garantie bei der Taubenabwehr.",
    keywords: ["Taubenabwehr Fragen", "Taubenabwehr FAQ", "Tauben vertreiben"],
    indexable: true,
    group: "main",
  },
  {
    path: "/sitemap",
    title: "Seitenübersicht",
    description: "Alle Seiten und alle Ratgeberartikel auf einen Blick.",
    keywords: ["Sitemap", "Seitenübersicht"],
    indexable: true,
    group: "main",
  },
  ...textPages.map(textRoute),
  thankYouRoute,
];

function textRoute({ name, title, description, keywords, updated }: TextPage): Route {
  return { path: `/${name}`, title, description, keywords, indexable: true, group: "legal", lastmod: updated };
}

/** The route of a path that is known to exist. */
export function route(path: string): Route {
  const found = routes.find((candidate) => candidate.path === path);
  if (!found) throw new Error(`No route has the path ${path}.`);
  return found;
}
