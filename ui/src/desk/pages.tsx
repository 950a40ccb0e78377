import type { ComponentType } from "react";
import type { Section } from "./desk-layout.tsx";
import { FirmsPage } from "./firms-page.tsx";
import { InboxPage } from "./inbox-page.tsx";
import { ErasePage } from "./inquiry-actions.tsx";
import { InquiryPage } from "./inquiry-page.tsx";
import { HealthPage, LoginPage, MessagePage, ReportPage } from "./other-pages.tsx";
import { ReviewsPage } from "./reviews-page.tsx";
import { ClosePage, StatementPage } from "./statement-page.tsx";

interface DeskPage {
  /** The name of its template; `src/templates/kinds.rs` lists the same. */
  name: string;
  /** The title, without the name of the site. */
  title: string;
  /** Where it belongs in the navigation. */
  section: Section | null;
  Content: ComponentType;
}

/** The pages of the operator's desk. The site does not know them. */
export const deskPages: readonly DeskPage[] = [
  { name: "desk-login", title: "Anmelden", section: null, Content: LoginPage },
  { name: "desk-inbox", title: "Posteingang", section: "/posteingang", Content: InboxPage },
  { name: "desk-inquiry", title: "Anfrage {{ reference }}", section: "/posteingang", Content: InquiryPage },
  { name: "desk-erase", title: "Anfrage löschen", section: "/posteingang", Content: ErasePage },
  { name: "desk-firms", title: "Betriebe", section: "/betriebe", Content: FirmsPage },
  { name: "desk-statement", title: "Abrechnung {{ month_name }}", section: "/abrechnung", Content: StatementPage },
  { name: "desk-close", title: "Monat abschließen", section: "/abrechnung", Content: ClosePage },
  { name: "desk-reviews", title: "Bewertungen", section: "/bewertungen", Content: ReviewsPage },
  { name: "desk-report", title: "Bericht", section: "/bericht", Content: ReportPage },
  { name: "desk-health", title: "Zustand", section: "/zustand", Content: HealthPage },
  { name: "desk-message", title: "Schreibtisch", section: null, Content: MessagePage },
];
