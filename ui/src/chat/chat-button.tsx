import { useEffect, useState } from "react";
import { useLocation } from "../routing/router.ts";
import { useSettings } from "../settings/context.tsx";
import { ChatLink } from "./chat-link.tsx";

/** Milliseconds until the button appears, and between its pulses (spec, section 9). */
const ON_PHONES = { delay: 2_000, pulse: 47_000 };
const ON_DESKS = { delay: 2_500, pulse: 62_000 };

/**
 * Shows the operator's chat, if there is one, in the corner of every page. On phones the questionnaire keeps it free.
 */
export function ChatButton() {
  const hasChat = Boolean(useSettings()?.links.chat);
  const isQuestionnaire = useLocation().pathname === "/fragebogen";
  const [pulses, setPulses] = useState(-1);

  useEffect(() => {
    if (!hasChat) return undefined;
    const { delay, pulse } = window.matchMedia("(width < 48rem)").matches ? ON_PHONES : ON_DESKS;
    const beat = () => setPulses((count) => count + 1);
    let interval: ReturnType<typeof setInterval>;
    const timer = setTimeout(() => {
      beat();
      interval = setInterval(beat, pulse);
    }, delay);
    return () => {
      clearTimeout(timer);
      clearInterval(interval);
    };
  }, [hasChat]);

  if (pulses < 0) return null;
  return (
    <aside aria-label="Chat">
      <ChatLink id="chat" className={isQuestionnaire ? "chat chat-aside" : "chat"} pulses={pulses} />
    </aside>
  );
}
