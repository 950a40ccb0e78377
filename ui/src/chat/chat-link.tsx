import { useText } from "../settings/context.tsx";

const LABEL = "Chatten Sie jetzt mit uns";

/** Links to the operator's external chat. It is a plain link: the other site is not contacted before a click. */
export function ChatLink({ id, className, pulses = 0 }: { id: string; className: string; pulses?: number }) {
  return (
    <a
      className={className}
      href={useText("links.chat")}
      target="_blank"
      rel="noopener"
      aria-label={LABEL}
      aria-describedby={`${id}-hint`}
      data-tooltip={LABEL}
    >
      {/* Each pulse is a new element, whose animation runs once. */}
      {pulses > 0 && <span className="chat-pulse" key={pulses} />}
      <svg className="icon" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
        <path d="M3 4h18v13h-7l-5 4v-4H3zM8 10.5v.01M12 10.5v.01M16 10.5v.01" />
      </svg>
      <span id={`${id}-hint`} className="visually-hidden">
        Öffnet in einem neuen Tab
      </span>
    </a>
  );
}
