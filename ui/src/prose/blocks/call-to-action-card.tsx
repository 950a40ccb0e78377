import { CallToAction } from "../../components/call-to-action.tsx";
import type { Subject } from "../../components/inquiry-link.tsx";

interface Props extends Subject {
  title: string;
  text: string;
}

/** The way to the questionnaire in the middle of an article. */
export function CallToActionCard(card: Props) {
  return <CallToAction {...card} as="p" />;
}
