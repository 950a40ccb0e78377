/** Milliseconds for which the pointer or the focus rests on an element before its tooltip opens. */
const OPEN_DELAY = 700;
/** Within this many milliseconds after one tooltip closes the next opens at once, for visitors who read several in a row. */
const SKIP_DELAY = 300;
/** Pixels that stay free at the edges of the screen. */
const MARGIN = 8;

const ID = "tooltip";

/**
 * Shows the text of `data-tooltip` next to any element of the page: one tooltip at a time, for mouse and keyboard. The
 * pointer may move onto it; any key, press or scrolling closes it (WCAG 1.4.13).
 */
export function startTooltips(): void {
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
    // If the text is also the element's name, screen readers would read it twice.
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
    document.addEventListener(name, listener, { capture: true, passive: true });

  listen("pointerover", ({ pointerType, target }) => {
    if (pointerType === "mouse" && target !== tooltip) rest(target);
  });
  listen("pointerout", ({ relatedTarget }) => relatedTarget ?? rest(null)); // the pointer left the window
  listen("focusin", ({ target }) => target instanceof Element && target.matches(":focus-visible") && rest(target));
  listen("focusout", () => rest(null));
  listen("keydown", close);
  listen("pointerdown", close);
  listen("scroll", close);
}

/** Places the tooltip above the element, or below if there is no room, and within the screen. */
function place(tooltip: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = tooltip;
  const most = document.documentElement.clientWidth - width - MARGIN;
  tooltip.style.left = `${Math.max(MARGIN, Math.min((left + right - width) / 2, most))}px`;
  tooltip.style.top = `${top < height ? bottom : top - height}px`;
}
