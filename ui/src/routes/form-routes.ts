import type { Route } from "./route.ts";

/** The routes of the forms. They are part of the browser's code, because a form opens without asking the server. */
export const questionnaireRoute: Route = {
  path: "/fragebogen",
  title: "Angebote anfragen",
  description:
    "Fünf kurze Schritte zu bis zu drei Vergleichsangeboten für Taubenabwehr in Hamburg und Umgebung. Kostenlos und unverbindlich.",
  keywords: ["Taubenabwehr Angebot", "Taubenabwehr Anfrage", "Fachbetrieb Hamburg"],
  indexable: true,
  group: "main",
};

export const thankYouRoute: Route = {
  path: "/danke",
  title: "Vielen Dank für Ihre Anfrage",
  description: "Ihre Anfrage ist eingegangen. So geht es weiter.",
  keywords: ["Taubenabwehr Anfrage", "Taubenabwehr Angebote"],
  indexable: false,
  group: "hidden",
};
