import { afterShown } from "../browser/shown.ts";

/** Milliseconds until the button appears, and between its pulses. */
const ON_PHONES = { delay: 2_000, pulse: 47_000 };
const ON_DESKS = { delay: 2_500, pulse: 62_000 };

/**
 * Shows the operator's chat, if there is one, in the corner of every page: a copy of the header's link. On phones the
 * questionnaire keeps the corner free (`chat.css`).
 */
export function startChat(): void {
  const link = document.querySelector<HTMLElement>(".chat-header");
  if (!link) return;
  const { delay, pulse } = window.matchMedia("(width < 48rem)").matches ? ON_PHONES : ON_DESKS;
  afterShown(delay, () => {
    const button = show(link);
    setInterval(() => beat(button), pulse);
  });
}

function show(link: HTMLElement): HTMLElement {
  const aside = document.createElement("aside");
  aside.ariaLabel = "Chat";
  const button = link.cloneNode(true) as HTMLElement;
  button.className = "chat";
  button.setAttribute("aria-describedby", "chat-hint");
  const hint = button.querySelector(".visually-hidden");
  if (hint) hint.id = "chat-hint";
  aside.append(button);
  document.querySelector(".footer")?.after(aside);
  return button;
}

/** Each pulse is a new element, whose animation runs once. */
function beat(button: HTMLElement): void {
  button.querySelector(".chat-pulse")?.remove();
  const pulse = document.createElement("span");
  pulse.className = "chat-pulse";
  button.prepend(pulse);
}
