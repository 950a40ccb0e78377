/**
 * Where toasts appear (`enhancements/toast/toaster.ts`). The region for information is on the page from the start, because screen
 * readers read only what is added to a live region that they know. It has role=status itself: a status inside a live
 * region could be read twice. Errors need no region, because an element with role=alert is read when it appears.
 */
export function ToastRegion() {
  return (
    <div className="toaster">
      <div className="toaster-list" />
      <div className="toaster-list" role="status" aria-live="polite" aria-atomic="false" aria-relevant="additions" />
    </div>
  );
}
