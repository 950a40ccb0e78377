import { createContext, useContext, type ReactNode } from "react";
import type { SettingName, Settings, TextName } from "./site-settings.ts";
import { If, slot } from "./template.tsx";

/**
 * The source of settings. Pages are prerendered before these are known: in the mode `"template"` a setting renders as an
 * expression of the template language, which the server evaluates once at startup. In the browser the same components
 * render the actual values.
 */
type Source = Settings | "template";

const SettingsContext = createContext<Source>("template");

export const SettingsProvider = SettingsContext.Provider;

/** Returns a text setting, empty if it is absent: wrap it in `IfSetting` if that is possible. */
export function useText(name: TextName): string {
  const source = useContext(SettingsContext);
  if (source === "template") return slot(expression(name));
  const value = lookup(source, name);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

interface Condition {
  name: SettingName;
  children: ReactNode;
  /** Rendered instead, if given. */
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
  /** Text that calls firms vetted. */
  children: ReactNode;
  /** The text while not every firm that gets requests has been verified. */
  otherwise: ReactNode;
}

/** Calls firms vetted (`geprüft`) only if they are. */
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
