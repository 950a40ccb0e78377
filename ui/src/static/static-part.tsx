import type { MouseEvent, SyntheticEvent } from "react";
import { useNavigate } from "../routing/router.ts";
import { clickTarget } from "./click-target.ts";

/**
 * The part of a page that is HTML and no code: rendered at build time, adopted at hydration, and taken from the
 * page's file on client navigation. Links inside navigate on the client.
 */
export function StaticPart({ html }: { html: string }) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent) => {
    const target = clickTarget(event);
    if (!target) return;
    event.preventDefault();
    void navigate(target);
  };
  return <div data-static="" onClick={follow} onErrorCapture={hideImage} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** A picture that fails to load leaves no gap. */
function hideImage({ target }: SyntheticEvent): void {
  if (target instanceof HTMLImageElement) target.hidden = true;
}
