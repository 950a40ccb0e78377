import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { whenShown } from "../browser/shown.ts";
import { type Preselection, readPreselection } from "./query.ts";

/**
 * Returns what the address chooses in advance; null if it was read before. The history entry is marked as read, because
 * reloading it must not undo what the visitor has changed since.
 */
export function usePreselection(): Preselection | null {
  const { search, state } = useLocation() as { search: string; state: { parametersRead?: boolean } | null };
  const navigate = useNavigate();
  const isRead = state?.parametersRead === true;
  const [preselection] = useState(() => (isRead ? null : readPreselection(new URLSearchParams(search))));
  const isSomething = preselection !== null && (preselection.property !== null || preselection.location !== null);

  useEffect(() => {
    if (!isSomething || isRead) return undefined;
    return whenShown(() => void navigate({ search }, { replace: true, state: { ...state, parametersRead: true } }));
    // Once: later addresses are those of steps, which choose nothing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return preselection;
}
