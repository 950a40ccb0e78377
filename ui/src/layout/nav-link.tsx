import { IfSetting } from "../template/settings.tsx";
import { headerLinks, type NavigationLink } from "./navigation.ts";

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
    <a href={to} aria-current={isCurrent ? "page" : undefined}>
      {label}
    </a>
  );
}
