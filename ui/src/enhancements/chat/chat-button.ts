import { afterShown } from "../../browser/lifecycle.ts";

/** Milliseconds until the button appears, and between its pulses. */
const ON_PHONES = { delay: 2_000, pulse: 47_000 };
const ON_DESKS = { delay: 2_500, pulse: 62_000 };

/**
 * Shows the operator's chat, if there is one, in the corner of every page, as a copy of the header's link. On phones the
 * questionnaire keeps the corner free (`chat.css`).
 */
export function startChat(): void {
  const link = document.querySelector<HTMLElement>(".chat-header");
  if (!link) return;
  const isPhone = window.matchMedia("(width < 48rem)").matches;
  const { delay, pulse } = isPhone ? ON_PHONES : ON_DESKS;
  afterShown(delay, () => {
    const button = show(link);
    stepAside(button);
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

/** Other elements that can be tapped. */
const TARGETS = "a, button, input, label, select, summary, textarea";

/** Marks the button while it would cover something that can be tapped; on phones it then makes way (`chat.css`). */
function stepAside(button: HTMLElement): void {
  let observer: IntersectionObserver | undefined;
  const watch = () => {
    observer?.disconnect();
    const { top, right, bottom, left } = button.getBoundingClientRect();
    const edges = [-top, right - window.innerWidth, bottom - window.innerHeight, -left];
    const covered = new Set<Element>();
    const look = (entries: IntersectionObserverEntry[]) => {
      for (const { isIntersecting, target } of entries) covered[isIntersecting ? "add" : "delete"](target);
      button.toggleAttribute("data-covers", covered.size > 0);
    };
    observer = new IntersectionObserver(look, { rootMargin: edges.map((edge) => `${Math.round(edge)}px`).join(" ") });
    for (const target of document.querySelectorAll(TARGETS)) if (target !== button) observer.observe(target);
  };
  // The page grows when something in it opens, and when the banner appears.
  new ResizeObserver(watch).observe(document.body);
  window.addEventListener("resize", watch);
}

/** Each pulse is a new element, whose animation runs once. */
function beat(button: HTMLElement): void {
  button.querySelector(".chat-pulse")?.remove();
  const pulse = document.createElement("span");
  pulse.className = "chat-pulse";
  button.prepend(pulse);
}
