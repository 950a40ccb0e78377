import { useEffect } from "react";
import { PageLoading } from "../components/page-loading.tsx";

/** Has the browser load the open address: a page that could not be fetched, or a file. */
export function LoadFromServer() {
  // Not `assign`, which only scrolls if the address has a hash.
  useEffect(() => window.location.reload(), []);
  return <PageLoading />;
}
