import { IfSetting } from "../template/settings.tsx";
import type { SettingName } from "../template/site-settings.ts";

/** A link of the header: a section of the home page or a page. */
interface NavigationLink {
  label: string;
  to: string;
  /** The setting without which there is no such section. */
  setting?: SettingName;
}

const headerLinks: NavigationLink[] = [
  { label: "Leistungen", to: "/#services" },
  { label: "Wie es funktioniert", to: "/#how-it-works" },
  { label: "Über uns", to: "/#about-us" },
  { label: "Referenzen", to: "/#testimonials", setting: "testimonials" },
  { label: "Blog", to: "/blog" },
];

/** Lists the links of the header, of which the footer has the same; `path` is that of the current page. */
export function HeaderLinks({ path }: { path: string }) {
  return headerLinks.map(({ to, label, setting }) => {
    const isCurrent = path === to || path.startsWith(`${to}/`);
    const item = (
      <li key={to}>
        <a className="touch" href={to} aria-current={isCurrent ? "page" : undefined}>
          {label}
        </a>
      </li>
    );
    return setting ? (
      <IfSetting key={to} name={setting}>
        {item}
      </IfSetting>
    ) : (
      item
    );
  });
}
