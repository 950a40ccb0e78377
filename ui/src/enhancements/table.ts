/** Makes a table a tab stop only while it scrolls. It is served as a tab stop, for browsers without the script. */
export function table(region: HTMLElement): void {
  const observer = new ResizeObserver(() => {
    if (region.scrollWidth > region.clientWidth) region.tabIndex = 0;
    else region.removeAttribute("tabindex");
  });
  for (const element of [region, ...region.children]) observer.observe(element);
}
