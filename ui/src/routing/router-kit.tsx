import type { ReactNode } from "react";
import { Link, Navigate, useLocation, useNavigate } from "react-router";
import { KitProvider } from "./router.ts";

const ROUTER_KIT = { Link, Navigate, useLocation, useNavigate };

/** Stands inside a router and hands what components use of it to `router.ts`. */
export function RouterKit({ children }: { children: ReactNode }) {
  return <KitProvider value={ROUTER_KIT}>{children}</KitProvider>;
}
