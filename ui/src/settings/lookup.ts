import type { SettingName, Settings, TextName } from "./types.ts";

/** Returns the value of a dotted name in the settings, or undefined. */
export function lookup(settings: Settings, name: SettingName): unknown {
  return name.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], settings);
}

/** Returns the template expression for the value of a setting. */
export function expression(name: SettingName): string {
  return name === "origin" ? "origin" : `site.${name}`;
}

/** Returns the value as text, which is empty if it is absent. */
export function textOf(settings: Settings, name: TextName): string {
  const value = lookup(settings, name);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
