import { useText } from "../../template/settings.tsx";

const LABEL = "Chatten Sie jetzt mit uns";

/**
 * Links to the operator's external chat, in the header. As a plain link it does not contact the other site before a
 * click. `chat-button.ts` copies it.
 */
export function ChatLink() {
  return (
    <a
      className="chat-header button-icon"
      href={useText("links.chat")}
      target="_blank"
      rel="noopener"
      aria-label={LABEL}
      aria-describedby="header-chat-hint"
      data-tooltip={LABEL}
    >
      <svg className="icon" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
        <path d="M3 4h18v13h-7l-5 4v-4H3zM8 10.5v.01M12 10.5v.01M16 10.5v.01" />
      </svg>
      <span id="header-chat-hint" className="visually-hidden">
        Öffnet in einem neuen Tab
      </span>
    </a>
  );
}
