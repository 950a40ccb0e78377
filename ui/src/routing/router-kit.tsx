import type { ReactNode } from "react";
import { Link, Navigate, useLocation, useNavigate } from "react-router";
import { KitProvider } from "./router.ts";

const ROUTER_KIT = { Link, Navigate, useLocation, useNavigate };

/** Provides `router.ts` with what components use of react-router. Must be inside a router. */
export function RouterKit({ children }: { children: ReactNode }) {
  return <KitProvider value={ROUTER_KIT}>{children}</KitProvider>;
}
