import { Each, either, If, slot } from "../template/template.tsx";

/** Ways to reach a firm that provides them: the field, the address and the words of each link. */
const WAYS = [
  ["phone", slot("firm.phone_link"), slot("firm.phone")],
  ["email", `mailto:${slot("firm.email")}`, slot("firm.email")],
  ["website", slot("firm.website"), slot("firm.website_label")],
] as const;

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
              {WAYS.map(([name, address, label]) => (
                <If key={name} test={`firm.${name}`}>
                  <li>
                    <a className={name === "phone" ? "button-plain" : "touch"} href={address} rel="noopener">
                      {label}
                    </a>
                  </li>
                </If>
              ))}
            </ul>
          </If>
        </li>
      </Each>
    </ul>
  );
}
