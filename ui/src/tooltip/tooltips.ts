/** Milliseconds that the pointer or the focus rests on an element before its tooltip opens (spec, section 9). */
const OPEN_DELAY = 700;
/** Milliseconds after a tooltip has closed in which the next one opens at once: the visitor is reading along. */
const SKIP_DELAY = 300;
/** Pixels that stay free at the edges of the screen. */
const MARGIN = 8;

const ID = "tooltip";

/**
 * Shows the text of `data-tooltip` at any element of the page, static or not: one tooltip at a time, for mouse and
 * keyboard. It can be pointed at, and any key, press or scrolling closes it (WCAG 1.4.13). The answer ends it.
 */
export function startTooltips(): () => void {
  const listening = new AbortController();
  let anchor: HTMLElement | null = null;
  let tooltip: HTMLElement | null = null;
  let description: string | null = null;
  let closedAt = 0;
  let timer: ReturnType<typeof setTimeout>;

  const open = () => {
    const text = anchor?.dataset.tooltip;
    if (!anchor?.isConnected || !text) return;
    tooltip = Object.assign(document.createElement("div"), {
      id: ID,
      role: "tooltip",
      className: ID,
      textContent: text,
    });
    document.body.append(tooltip);
    place(tooltip, anchor.getBoundingClientRect());
    description = anchor.getAttribute("aria-describedby");
    // What is the element's name already need not be read out twice.
    if (text !== anchor.ariaLabel) anchor.setAttribute("aria-describedby", description ? `${description} ${ID}` : ID);
  };

  const close = () => {
    clearTimeout(timer);
    if (!tooltip) return;
    tooltip.remove();
    tooltip = null;
    closedAt = Date.now();
    if (description) anchor?.setAttribute("aria-describedby", description);
    else anchor?.removeAttribute("aria-describedby");
  };

  const rest = (target: EventTarget | null) => {
    const next = target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
    if (next === anchor) return;
    close();
    anchor = next;
    if (next) timer = setTimeout(open, Date.now() - closedAt < SKIP_DELAY ? 0 : OPEN_DELAY);
  };

  const listen = <Name extends keyof DocumentEventMap>(name: Name, listener: (event: DocumentEventMap[Name]) => void) =>
    document.addEventListener(name, listener, { capture: true, passive: true, signal: listening.signal });

  listen("pointerover", ({ pointerType, target }) => {
    if (pointerType === "mouse" && target !== tooltip) rest(target);
  });
  listen("pointerout", ({ relatedTarget }) => relatedTarget ?? rest(null)); // out of the window
  listen("focusin", ({ target }) => target instanceof Element && target.matches(":focus-visible") && rest(target));
  listen("focusout", () => rest(null));
  listen("keydown", close);
  listen("pointerdown", close);
  listen("scroll", close);
  return () => {
    listening.abort();
    close();
  };
}

/** Above the element, or below it where there is no room, within the screen. */
function place(tooltip: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = tooltip;
  const most = document.documentElement.clientWidth - width - MARGIN;
  tooltip.style.left = `${Math.max(MARGIN, Math.min((left + right - width) / 2, most))}px`;
  tooltip.style.top = `${top < height ? bottom : top - height}px`;
}
