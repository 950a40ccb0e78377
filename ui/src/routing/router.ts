import { createContext, createElement, useContext, type ComponentProps } from "react";
import type * as Router from "react-router";

/** The parts of react-router that components use. */
type Kit = Pick<typeof Router, "Link" | "Navigate" | "useLocation" | "useNavigate">;

const KitContext = createContext<Kit | null>(null);

/**
 * Provides react-router to components. Those in lazy chunks must not import it, directly or indirectly: the bundler
 * would then keep all of it in the first bundle (28 KB more).
 */
export const KitProvider = KitContext.Provider;

export function Link(props: ComponentProps<typeof Router.Link>) {
  return createElement(useKit().Link, props);
}

export function Navigate(props: ComponentProps<typeof Router.Navigate>) {
  return createElement(useKit().Navigate, props);
}

export const useLocation: Kit["useLocation"] = () => useKit().useLocation();
export const useNavigate: Kit["useNavigate"] = () => useKit().useNavigate();

function useKit(): Kit {
  const kit = useContext(KitContext);
  if (!kit) throw new Error("There is no router around this component.");
  return kit;
}
