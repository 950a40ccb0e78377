/**
 * Tells the styles how high the banner is (`--banner`), for as long as it stands: what is below it must be able to
 * scroll clear of it, and the chat button stands above it.
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
