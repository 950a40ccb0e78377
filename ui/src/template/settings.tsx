import { createContext, useContext, type ReactNode } from "react";
import type { SettingName, Settings, TextName } from "./site-settings.ts";
import { If, slot } from "./template.tsx";

/**
 * Where the settings come from. Pages are prerendered before they are known: in the mode `"template"` a setting renders
 * as an expression of the template language, which the server evaluates once at start. In the browser the same
 * components render the real values.
 */
type Source = Settings | "template";

const SettingsContext = createContext<Source>("template");

export const SettingsProvider = SettingsContext.Provider;

/** Returns the text of a setting, empty if it is absent: wrap it in `IfSetting` where that may be. */
export function useText(name: TextName): string {
  const source = useContext(SettingsContext);
  if (source === "template") return slot(expression(name));
  const value = lookup(source, name);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

interface Condition {
  name: SettingName;
  children: ReactNode;
  /** What is rendered instead, if anything. */
  otherwise?: ReactNode;
}

/** Renders its children only if the setting is present, and neither false nor empty. */
export function IfSetting({ name, children, otherwise }: Condition) {
  const source = useContext(SettingsContext);
  if (source !== "template") return isPresent(lookup(source, name)) ? children : otherwise;
  return (
    <If test={expression(name)} otherwise={otherwise}>
      {children}
    </If>
  );
}

interface VettedProps {
  /** Words that call firms vetted. */
  children: ReactNode;
  /** The text for while not every firm that is asked has a valid check. */
  otherwise: ReactNode;
}

/** Calls firms vetted (`geprüft`) only where they are. */
export function Vetted({ children, otherwise }: VettedProps) {
  return (
    <IfSetting name="vetted" otherwise={otherwise}>
      {children}
    </IfSetting>
  );
}

/** Returns the value of a dotted name in the settings, or undefined. */
function lookup(settings: Settings, name: SettingName): unknown {
  return name.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], settings);
}

function expression(name: SettingName): string {
  return name === "origin" ? "origin" : `site.${name}`;
}

function isPresent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
