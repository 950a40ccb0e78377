import { useEffect, useEffectEvent, useRef, type MouseEvent } from "react";
import { enhance } from "../enhancements/enhance.ts";
import { clickTarget } from "../routing/link-target.ts";
import { useNavigate } from "../routing/router.ts";

/**
 * Shows the part of a page that is plain HTML: rendered at build time, adopted at hydration, and taken from the page's
 * file on client navigation. Links in it navigate on the client, and elements with `data-enhancement` are enhanced.
 */
export function StaticPart({ html }: { html: string }) {
  const navigate = useNavigate();
  const root = useRef<HTMLDivElement>(null);
  const open = useEffectEvent((address: string) => void navigate(address));
  useEffect(() => {
    if (!root.current) return undefined;
    return enhance(root.current, { navigate: (address) => open(address) });
  }, [html]);

  const follow = (event: MouseEvent) => {
    const target = clickTarget(event.nativeEvent);
    if (!target) return;
    event.preventDefault();
    void navigate(target);
  };
  // The handler follows links, which keyboards reach by themselves.
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
  return <div data-static="" ref={root} onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />;
}
