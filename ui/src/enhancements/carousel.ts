/** Events by which a visitor takes over while the track is still scrolling to the slide that a button chose. */
const TAKEN_OVER = ["pointerdown", "wheel", "keydown"] as const;

/** A swipe ends after this many milliseconds without a scroll event: several frames, yet too short to notice. */
const REST = 120;

/**
 * Turns a row of slides (`pages/home/testimonials.tsx`) into a carousel with buttons and dots. The browser itself
 * scrolls, so swiping and keys work as everywhere. The index wraps around in both directions.
 */
export function carousel(root: HTMLElement): void {
  const track = root.querySelector<HTMLElement>(".carousel-track");
  const status = root.querySelector("[aria-live]");
  const dots = [...root.querySelectorAll<HTMLElement>("[data-carousel-dot]")];
  if (!track) return;
  const slides = [...track.children] as HTMLElement[];
  let index = 0;
  let isMovedByButton = false;
  let timer: ReturnType<typeof setTimeout>;

  const mark = (next: number) => {
    if (next === index) return;
    index = next;
    dots.forEach((dot, number) =>
      number === index ? dot.setAttribute("aria-current", "true") : dot.removeAttribute("aria-current"),
    );
    if (status) status.textContent = `Referenz ${index + 1} von ${slides.length}: ${slides[index]?.innerText ?? ""}`;
  };

  const show = (wanted: number) => {
    const next = (wanted + slides.length) % slides.length;
    isMovedByButton = true;
    mark(next);
    track.scrollTo({ left: next * track.clientWidth });
  };

  const press = ({ target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("button") : null;
    const { carouselStep, carouselDot } = button?.dataset ?? {};
    if (carouselStep) show(index + Number(carouselStep));
    if (carouselDot) show(Number(carouselDot));
  };

  // The slide that a button chose is already marked. A slow device may pause at another slide on the way.
  const arrive = () => {
    const reached = Math.round(track.scrollLeft / track.clientWidth);
    if (isMovedByButton && reached !== index) return;
    isMovedByButton = false;
    mark(reached);
  };

  const scroll = () => {
    clearTimeout(timer);
    timer = setTimeout(arrive, REST);
  };

  const takeOver = () => {
    isMovedByButton = false;
  };

  root.addEventListener("click", press);
  track.addEventListener("scroll", scroll);
  TAKEN_OVER.forEach((type) => track.addEventListener(type, takeOver, { passive: true }));
  root.dataset.live = "";
}
