/** Stands while the code of a page is on its way. */
export function Loading() {
  return (
    <div className="wrap page loading" role="status">
      Seite wird geladen...
    </div>
  );
}
