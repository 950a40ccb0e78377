import { dismissToast, type Toast } from "./list.ts";

/** Time to notice and read a sentence or two. Nothing is lost with an error: it is also shown at its field. */
const DURATION_MS: Readonly<Record<Toast["tone"], number>> = { info: 6_000, error: 10_000 };

/** Time to read a toast and to reach its link, which is nowhere else on the page. */
const LINK_DURATION_MS = 20_000;

const CLOSE = `<button type="button" class="button-icon" aria-label="Meldung schließen" data-tooltip="Meldung schließen"><svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg></button>`;

/** A word that browsers would break after its first hyphen. */
const UNBROKEN = /(E-Mail-Adresse)/;

/** A toast on the page. */
export interface ToastCard {
  readonly element: HTMLElement;
  /** Says whether the toast stays. When it is released, its time starts again. */
  hold(isHeld: boolean): void;
}

/** Creates the card of a toast, which dismisses it when its time is over or its button is pressed. */
export function createCard(toast: Toast): ToastCard {
  const { id, tone, link } = toast;
  const element = document.createElement("div");
  element.className = "toast";
  element.dataset.tone = tone;
  if (tone === "error") element.role = "alert";
  element.innerHTML = CLOSE;
  element.prepend(textOf(toast));
  letClose(element, id);

  const duration = link === undefined ? DURATION_MS[tone] : LINK_DURATION_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    element,
    hold: (isHeld) => {
      if (isHeld) {
        clearTimeout(timer);
        timer = undefined;
      } else timer ??= setTimeout(() => dismissToast(id), duration);
    },
  };
}

function textOf({ id, tone, title, description, link }: Toast): HTMLElement {
  const text = document.createElement("div");
  text.className = "toast-text";
  if (tone === "error") text.append(withText("span", "visually-hidden", "Fehler: "));
  const heading = withText("p", "strong", title);
  heading.id = titleId(id);
  text.append(heading);
  if (description !== undefined) text.append(withText("p", "toast-description", description));
  if (link !== undefined) {
    const line = withText("p", "toast-description", "");
    const anchor = withText("a", "", link.label) as HTMLAnchorElement;
    anchor.href = link.href;
    line.append(anchor);
    text.append(line);
  }
  return text;
}

function letClose(element: HTMLElement, id: number): void {
  const button = element.querySelector("button");
  if (!button) return;
  let cameFrom: EventTarget | null = null;
  const close = () => {
    // Give the focus back, so that keyboard users continue where they were.
    if (cameFrom instanceof HTMLElement) cameFrom.focus();
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    dismissToast(id);
  };
  button.setAttribute("aria-describedby", titleId(id));
  button.addEventListener("focus", ({ relatedTarget }) => {
    cameFrom = relatedTarget;
  });
  button.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") close();
  });
  button.addEventListener("click", close);
}

function titleId(id: number): string {
  return `toast-${id}`;
}

function withText(tag: "a" | "p" | "span", className: string, text: string): HTMLElement {
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
