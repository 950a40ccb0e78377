import { IfSetting } from "../template/settings.tsx";

interface Props {
  to: string;
  label: string;
  rel?: string;
  isCurrent?: boolean;
}

/** A link in a list of links. */
export function NavLink({ to, label, rel, isCurrent = false }: Props) {
  return (
    <li>
      <a className="touch" href={to} rel={rel} aria-current={isCurrent ? "page" : undefined}>
        {label}
      </a>
    </li>
  );
}

/** Lists the links of the header, which the footer repeats; `path` is the current page's. */
export function HeaderLinks({ path }: { path: string }) {
  return (
    <>
      <NavLink to="/#services" label="Leistungen" />
      <NavLink to="/#how-it-works" label="Wie es funktioniert" />
      <NavLink to="/#about-us" label="Über uns" />
      <IfSetting name="testimonials">
        <NavLink to="/#testimonials" label="Referenzen" />
      </IfSetting>
      <NavLink to="/blog" label="Blog" isCurrent={path === "/blog" || path.startsWith("/blog/")} />
    </>
  );
}
