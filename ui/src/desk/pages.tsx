import type { ComponentType } from "react";
import { NewInquiryPage } from "./caller-forms.tsx";
import type { Section } from "./desk-layout.tsx";
import { FirmsPage, PausePage } from "./firms-page.tsx";
import { InboxPage } from "./inbox-page.tsx";
import { ErasePage, ErasePersonPage } from "./inquiry-actions.tsx";
import { InquiryPage } from "./inquiry-page.tsx";
import { HealthPage, LoginPage, MessagePage, ReportPage } from "./other-pages.tsx";
import { ReviewsPage } from "./reviews-page.tsx";
import { ClosePage, StatementPage } from "./statement-page.tsx";
import { slot } from "../template/template.tsx";

interface DeskPage {
  /** The name of its template, as listed in `src/site/templates/mod.rs`. */
  name: string;
  /** The title, without the name of the site. */
  title: string;
  /** Its section in the navigation, if any. */
  section?: Section;
  /** For pages without a section, the condition on which they are for a logged-in operator. */
  loggedIn?: string;
  Content: ComponentType;
}

/** The pages of the operator's desk, which are not part of the site. */
export const deskPages: readonly DeskPage[] = [
  { name: "login", title: "Anmelden", Content: LoginPage },
  { name: "inbox", title: "Posteingang", section: "/posteingang", Content: InboxPage },
  { name: "new-inquiry", title: "Neue Anfrage", section: "/posteingang", Content: NewInquiryPage },
  { name: "inquiry", title: `Anfrage ${slot("reference")}`, section: "/posteingang", Content: InquiryPage },
  { name: "erase", title: "Anfrage löschen", section: "/posteingang", Content: ErasePage },
  { name: "erase-person", title: "Person löschen", section: "/posteingang", Content: ErasePersonPage },
  { name: "firms", title: "Betriebe", section: "/betriebe", Content: FirmsPage },
  { name: "pause", title: "Betrieb pausieren", section: "/betriebe", Content: PausePage },
  { name: "statement", title: `Abrechnung ${slot("month_name")}`, section: "/abrechnung", Content: StatementPage },
  { name: "close", title: "Monat abschließen", section: "/abrechnung", Content: ClosePage },
  { name: "reviews", title: "Bewertungen", section: "/bewertungen", Content: ReviewsPage },
  { name: "report", title: "Bericht", section: "/bericht", Content: ReportPage },
  { name: "health", title: "Zustand", section: "/zustand", Content: HealthPage },
  { name: "message", title: "Betreiberbereich", loggedIn: 'kind in ["not_found", "unchanged"]', Content: MessagePage },
];
