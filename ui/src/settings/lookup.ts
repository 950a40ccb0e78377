import type { SettingName, Settings, TextName } from "./types.ts";

/** The value of a dotted name in the settings, or undefined. */
export function lookup(settings: Settings, name: SettingName): unknown {
  return name.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], settings);
}

/** The template expression that the server replaces with the value of a setting. */
export function expression(name: SettingName): string {
  return name === "origin" ? "origin" : `site.${name}`;
}

/** The value as text; an absent one is empty. */
export function textOf(settings: Settings, name: TextName): string {
  const value = lookup(settings, name);
  return typeof value === "string" ? value : "";
}
