import type { ComponentType } from "react";
import { FirmPage } from "./firm-page.tsx";
import { messagePages } from "./message-pages.tsx";
import { VisitorPage } from "./visitor-page.tsx";
import { VisitorWithdrawPage } from "./visitor-withdraw-page.tsx";
import { either, slot } from "../template/template.tsx";

interface PrivatePage {
  /** The name of its template, as listed in `src/site/templates/mod.rs`. */
  name: string;
  /** The title, without the name of the site. */
  title: string;
  Content: ComponentType;
}

/** The pages that the server fills in for one person. They are not routes: neither the sitemap nor any link names them. */
export const privatePages: readonly PrivatePage[] = [
  {
    name: "visitor",
    title: `${either('notice == "too_long" or notice == "review_faulty" or photo_error', "Fehler: ")}Ihre Anfrage`,
    Content: VisitorPage,
  },
  { name: "visitor-withdraw", title: "Anfrage zurückziehen", Content: VisitorWithdrawPage },
  {
    name: "firm",
    title: `${either("outcome and outcome.error", "Fehler: ")}Anfrage ${slot("inquiry.reference")}`,
    Content: FirmPage,
  },
  ...messagePages,
];
