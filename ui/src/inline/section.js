// A link to a section of this page scrolls there a moment after the page is shown, so that a visitor sees where it leads. Until then
// the address goes without its hash, with which the browser would start at the section. No scrolling after a touch.
{
  const { hash, origin, pathname, search } = location;
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const isReturn = navigation?.type === "reload" || navigation?.type === "back_forward";
  if (hash && !isReturn) {
    const delay = document.referrer.startsWith(`${origin}/`) ? 300 : 500;
    let isTouched = false;
    const touch = () => {
      isTouched = true;
    };
    for (const type of ["keydown", "pointerdown", "wheel"])
      addEventListener(type, touch, { once: true, passive: true });
    history.replaceState(history.state, "", pathname + search);
    setTimeout(() => {
      if (location.hash) return; // of another link, which was chosen meanwhile
      if (isTouched) history.replaceState(history.state, "", hash);
      else location.replace(hash);
    }, delay);
  }
}
