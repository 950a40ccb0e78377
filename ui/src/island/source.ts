/** Returns the address of the island's script, which every page names. */
export function islandSource(): string {
  return document.querySelector<HTMLElement>("[data-island-src]")?.dataset.islandSrc ?? "";
}
