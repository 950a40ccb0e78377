import { IfSetting } from "../template/settings.tsx";
import type { SettingName } from "../template/site-settings.ts";

/** A link of the header: a section of the home page or a page. */
interface NavigationLink {
  label: string;
  to: string;
  /** The section's id, for links that scroll. */
  anchor?: string;
  /** The setting without which there is no such section. */
  setting?: SettingName;
}

const headerLinks: NavigationLink[] = [
  { label: "Leistungen", to: "/#services", anchor: "services" },
  { label: "Wie es funktioniert", to: "/#how-it-works", anchor: "how-it-works" },
  { label: "Über uns", to: "/#about-us", anchor: "about-us" },
  { label: "Referenzen", to: "/#testimonials", anchor: "testimonials", setting: "testimonials" },
  { label: "Blog", to: "/blog" },
];

/** Lists the links of the header, of which the footer has the same; `path` is that of the current page. */
export function HeaderLinks({ path }: { path: string }) {
  return headerLinks.map((link) => {
    const item = (
      <li key={link.to}>
        <NavLink link={link} path={path} />
      </li>
    );
    return link.setting ? (
      <IfSetting key={link.to} name={link.setting}>
        {item}
      </IfSetting>
    ) : (
      item
    );
  });
}

/** Links to a page or to a section of the home page. */
function NavLink({ link: { to, label, anchor }, path }: { link: NavigationLink; path: string }) {
  const isCurrent = !anchor && (path === to || path.startsWith(`${to}/`));
  return (
    <a className="touch" href={to} aria-current={isCurrent ? "page" : undefined}>
      {label}
    </a>
  );
}
