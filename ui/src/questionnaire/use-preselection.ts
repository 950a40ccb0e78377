import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "../routing/router.ts";
import { type Preselection, readPreselection } from "./query.ts";

/**
 * What the address chooses in advance, null where that was read before. The history entry is marked as read: reloading
 * it must not undo what the visitor changed since.
 */
export function usePreselection(): Preselection | null {
  const { search, state } = useLocation() as { search: string; state: { parametersRead?: boolean } | null };
  const navigate = useNavigate();
  const isRead = state?.parametersRead === true;
  const [preselection] = useState(() => (isRead ? null : readPreselection(new URLSearchParams(search))));
  const isSomething = preselection !== null && (preselection.property !== null || preselection.location !== null);

  useEffect(() => {
    if (isSomething && !isRead) void navigate({ search }, { replace: true, state: { ...state, parametersRead: true } });
    // Once: what comes later are steps, whose addresses choose nothing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return preselection;
}
