/** Stands in for a page while its code is loading. */
export function PageLoading() {
  return (
    <div className="layout-wrap layout-page page-loading" role="status">
      Seite wird geladen...
    </div>
  );
}
