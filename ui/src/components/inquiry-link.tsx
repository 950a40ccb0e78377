import { createContext, useContext } from "react";
import inquiry from "../../generated/inquiry.ts";
import { PROPERTY_OPTIONS } from "../inquiry/options.ts";

/** The label of links to the questionnaire, unless a list of steps or a card has its own. */
const LABEL = "Angebote anfragen";

/** The subject of a page, in the values that links to the questionnaire take (`content/inquiry.toml`). */
export interface Subject {
  problem?: string | null | undefined;
  propertyType?: string | null | undefined;
}

const PageSubject = createContext<Subject>({});

/** Sets the subject of a page for all links to the questionnaire in it. */
export const SubjectProvider = PageSubject.Provider;

/** A link to the questionnaire that preselects its own subject, or else the subject of the page. */
export function InquiryLink({ problem, propertyType, look = "button" }: Subject & { look?: string }) {
  const page = useContext(PageSubject);
  const subject = problem || propertyType ? { problem, propertyType } : page;
  return (
    <a className={look} href={inquiryPath(subject)}>
      {LABEL}
    </a>
  );
}

const PROBLEMS = Object.keys(inquiry.preselect.problem);
const PROPERTY_TYPES = [...PROPERTY_OPTIONS.map(({ id }) => id), ...Object.keys(inquiry.preselect.property_type)];

/** Returns the address of the questionnaire with a subject preselected. Throws if a value preselects nothing. */
export function inquiryPath({ problem, propertyType }: Subject): string {
  const query = new URLSearchParams();
  if (problem) query.set("problem", known("problem", problem, PROBLEMS));
  if (propertyType) query.set("propertyType", known("propertyType", propertyType, PROPERTY_TYPES));
  return query.size > 0 ? `/fragebogen?${query}` : "/fragebogen";
}

function known(name: string, value: string, values: string[]): string {
  if (!values.includes(value)) throw new Error(`${name}="${value}": known are ${values.join(", ")}.`);
  return value;
}
