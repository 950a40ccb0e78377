import type { Settings } from "./types.ts";

/** Reads the settings that the server wrote into the page. */
export function readSettings(): Settings {
  const element = document.getElementById("settings");
  if (!element?.textContent) throw new Error("The page carries no settings.");
  return JSON.parse(element.textContent) as Settings;
}
