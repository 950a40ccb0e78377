import { Each, either, If, slot } from "../template/template.tsx";

/** Lists the firms that were asked, with their answers, and how to reach those that have accepted. */
export function FirmList() {
  return (
    <ul className="stack">
      <Each entry="firm" list="firms">
        <li
          className="private-page-firm card"
          data-tone="none"
          data-accepted={either("firm.accepted", "true", "false")}
        >
          <h3>{slot("firm.name")}</h3>
          <p className="private-page-state hint">{slot("firm.state")}</p>
          <If test="firm.checked">
            <p className="private-page-checked hint">
              Geprüft am {slot("firm.checked.on")} von {slot("firm.checked.by")}: {slot("firm.checked.what")}
            </p>
          </If>
          <If test="firm.accepted">
            <ul className="private-page-contact cluster">
              <If test="firm.phone">
                <li>
                  <a className="touch" href={slot("firm.phone_link")}>
                    {slot("firm.phone")}
                  </a>
                </li>
              </If>
              <If test="firm.email">
                <li>
                  <a className="touch" href={`mailto:${slot("firm.email")}`}>
                    {slot("firm.email")}
                  </a>
                </li>
              </If>
              <If test="firm.website">
                <li>
                  <a className="touch" href={slot("firm.website")} rel="noopener">
                    {slot("firm.website_label")}
                  </a>
                </li>
              </If>
            </ul>
          </If>
        </li>
      </Each>
    </ul>
  );
}
