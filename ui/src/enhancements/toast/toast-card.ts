import type { ToastContent } from "./store.ts";

const CLOSE = `<button type="button" class="button-icon" aria-label="Meldung schließen" data-tooltip="Meldung schließen"><svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg></button>`;

/** A word that browsers would break after its first hyphen. */
const UNBROKEN = /(E-Mail-Adresse)/;

let lastNumber = 0;

/** Creates the card of a toast, whose button dismisses it. */
export function createCard(toast: ToastContent, dismiss: (card: HTMLElement) => void): HTMLElement {
  const card = document.createElement("div");
  card.className = "toast";
  card.dataset.tone = toast.tone;
  if (toast.tone === "error") card.role = "alert";
  card.innerHTML = CLOSE;
  const titleId = `toast-${(lastNumber += 1)}`;
  letClose(card, titleId, dismiss);
  card.prepend(textOf(toast, titleId));
  return card;
}

function textOf({ tone, title, description, link }: ToastContent, titleId: string): HTMLElement {
  const text = document.createElement("div");
  text.className = "toast-text";
  if (tone === "error") text.append(withText("span", "visually-hidden", "Fehler: "));
  const heading = withText("p", "strong", title);
  heading.id = titleId;
  text.append(heading);
  if (description !== undefined) text.append(withText("p", "toast-description", description));
  if (link !== undefined) {
    const anchor = Object.assign(withText("a", "", link.label), { href: link.href });
    const line = withText("p", "toast-description", "");
    line.append(anchor);
    text.append(line);
  }
  return text;
}

function letClose(card: HTMLElement, titleId: string, dismiss: (card: HTMLElement) => void): void {
  const button = card.querySelector("button");
  let cameFrom: EventTarget | null = null;
  const close = () => {
    // Returns the focus, so that keyboard users continue where they were.
    if (cameFrom instanceof HTMLElement) cameFrom.focus();
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    dismiss(card);
  };
  button?.setAttribute("aria-describedby", titleId);
  button?.addEventListener("focus", ({ relatedTarget }) => {
    cameFrom = relatedTarget;
  });
  button?.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") close();
  });
  button?.addEventListener("click", close);
}

function withText<Tag extends "a" | "p" | "span">(tag: Tag, className: string, text: string) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [index, part] of text.split(UNBROKEN).entries()) {
    const span = document.createElement("span");
    span.className = "fact";
    span.textContent = part;
    element.append(index % 2 === 1 ? span : part);
  }
  return element;
}
