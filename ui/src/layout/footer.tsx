import legal from "../../generated/legal.json" with { type: "json" };
import { IfSetting, useText, Vetted } from "../template/settings.tsx";
import { Each, slot } from "../template/template.tsx";
import { Brand } from "./brand.tsx";
import { HeaderLinks, NavLink } from "./nav-link.tsx";

/** Renders the footer of every page. `path` is the current page's. */
export function Footer({ path }: { path: string }) {
  return (
    <footer className="footer harbour soft">
      <div className="layout-wrap footer-columns">
        <Contact />
        <nav className="screen-only" aria-labelledby="footer-site">
          <h2 id="footer-site">Angebot</h2>
          <ul>
            <HeaderLinks path={path} />
            <NavLink to="/faq" label="FAQ" />
            <NavLink to="/fragebogen" label="Angebote anfragen" />
            <NavLink to="/fuer-betriebe" label="Für Betriebe" />
          </ul>
        </nav>
        <nav className="screen-only" aria-labelledby="footer-legal">
          <h2 id="footer-legal">Rechtliches</h2>
          <ul>
            {legal.map(({ path, title }) => (
              <NavLink key={path} to={path} label={title} />
            ))}
            <NavLink to="/sitemap" label="Seitenübersicht" />
          </ul>
        </nav>
        <IfSetting name="links.sister_sites">
          <nav className="screen-only" aria-labelledby="footer-sisters">
            <h2 id="footer-sisters">Weitere Vergleichsportale</h2>
            <ul>
              <Each entry="item" list="site.links.sister_sites">
                <NavLink to={slot("item.url")} label={slot("item.label")} rel="noopener" />
              </Each>
            </ul>
          </nav>
        </IfSetting>
      </div>
      <p className="footer-owner">
        <IfSetting name="operator.legal_name">
          <span>© {useText("operator.legal_name")}</span>
        </IfSetting>
      </p>
    </footer>
  );
}

function Contact() {
  const name = useText("name");
  const phone = useText("operator.phone");
  const phoneLink = useText("operator.phone_link");
  const email = useText("operator.email");
  return (
    <div className="footer-contact">
      <p className="brand">
        <Brand name={name} />
      </p>
      <p>
        Kostenlose Vermittlung <Vetted otherwise="von Fachbetrieben">geprüfter Fachbetriebe</Vetted> in Hamburg und
        Umkreis, Postleitzahlen 20000 bis 22999.
      </p>
      <ul data-above="3">
        <IfSetting name="operator.phone">
          <NavLink to={phoneLink} label={phone} />
        </IfSetting>
        <IfSetting name="operator.email">
          <NavLink to={`mailto:${email}`} label={email} />
        </IfSetting>
      </ul>
    </div>
  );
}
