/** Runs an optional enhancement. Errors are logged, so that later ones still run. */
export function guarded(start: () => void): void {
  try {
    start();
  } catch (error) {
    console.error(error);
  }
}
