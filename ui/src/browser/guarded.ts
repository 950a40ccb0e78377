/** Starts something that a page can do without. What it throws is logged, and what starts after it starts all the same. */
export function guarded(start: () => void): void {
  try {
    start();
  } catch (error) {
    console.error(error);
  }
}
