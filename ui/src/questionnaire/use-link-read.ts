import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { whenShown } from "../browser/shown.ts";
import type { Preselection } from "./answers-reducer.ts";

/**
 * Says whether what a link has chosen was taken over before, and marks the history entry: reloading it must not undo what
 * the visitor has changed since.
 */
export function useLinkRead(preselection: Preselection | undefined): boolean {
  const { search, state } = useLocation() as { search: string; state: { parametersRead?: boolean } | null };
  const navigate = useNavigate();
  const [isRead] = useState(state?.parametersRead === true);
  const isSomething = preselection !== undefined && (preselection.property !== null || preselection.location !== null);

  useEffect(() => {
    if (!isSomething || isRead) return undefined;
    return whenShown(() => void navigate({ search }, { replace: true, state: { ...state, parametersRead: true } }));
    // Once: later addresses are those of steps, which choose nothing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return isRead;
}
