import { CallToAction } from "../../components/call-to-action.tsx";

/** The way to the questionnaire in the middle of an article. */
export function CallToActionCard({ title, text }: { title: string; text: string }) {
  return <CallToAction title={title} text={text} as="p" />;
}
