/**
 * Gives the style sheets the height of the open banner (`--banner`): the page must scroll clear of it, and the chat
 * button stands above it. Returns a function that stops it.
 */
export function trackHeight(banner: HTMLElement | null): (() => void) | undefined {
  if (!banner) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty("--banner", `${banner.offsetHeight}px`));
  observer.observe(banner);
  return () => {
    observer.disconnect();
    style.removeProperty("--banner");
  };
}
