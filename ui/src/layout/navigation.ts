import type { SettingName } from "../template/site-settings.ts";

/** A link of the header: a section of the home page or a page. */
export interface NavigationLink {
  label: string;
  to: string;
  /** The section's id, for links that scroll. */
  anchor?: string;
  /** The setting without which there is no such section. */
  setting?: SettingName;
}

export const headerLinks: NavigationLink[] = [
  { label: "Leistungen", to: "/#services", anchor: "services" },
  { label: "Wie es funktioniert", to: "/#how-it-works", anchor: "how-it-works" },
  { label: "Über uns", to: "/#about-us", anchor: "about-us" },
  { label: "Referenzen", to: "/#testimonials", anchor: "testimonials", setting: "testimonials" },
  { label: "Blog", to: "/blog" },
];
