import { useEffect } from "react";
import { PageLoading } from "../components/page-loading.tsx";

/** Leaves the open address to the browser: a page that could not be fetched, or a file that is no page. */
export function LoadFromServer() {
  // Not `assign`: for an address with a hash that would only scroll.
  useEffect(() => window.location.reload(), []);
  return <PageLoading />;
}
