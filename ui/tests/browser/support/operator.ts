import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Site, startSite } from "./site.ts";

/** Settings of the sample operator, whose testimonials are shown, with every visible option: chat, profiles, partners. */
const OPERATOR = `
name = "Taubenabwehr Hamburg"
[operator]
legal_name = "Muster Taubenabwehr Vermittlung GmbH"
represented_by = "Erika Mustermann"
street = "Musterstraße 1"
postal_code = "20095"
city = "Hamburg"
email = "kontakt@example.com"
phone = "+49 40 123456789"
register_court = "Amtsgericht Hamburg"
register_number = "HRB 000000"
vat_id = "DE000000000"
[business]
price_range = "€€"
latitude = 53.5511
longitude = 9.9937
opening_hours = ["Mo-Fr 08:00-18:00"]
[links]
chat = "https://chat.example/tauben"
social = ["https://social.example/tauben"]
sister_sites = ["https://schwester.example"]
affiliate_partner = "tauben-21"
`;

/** Advertising ids, which make consent necessary. */
export const TAGS = `
[tags]
tag_manager = "GTM-TEST123"
conversion = "AW-123456789/abcDEF"
`;

/** Without ids nothing needs consent, but the banner is shown anyway. */
const BANNER = `
[tags]
banner = "always"
`;

/** Starts an operator's site with a chat and all links; `more` extends the settings. Another name makes it a real operator. */
export async function startOperatorSite(more = BANNER, name = "Muster Taubenabwehr Vermittlung GmbH"): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "taubenabwehr-site-"));
  const file = join(folder, "site.toml");
  await writeFile(file, OPERATOR.replace(/(?<=legal_name = ").*(?=")/, name) + more);
  try {
    return await startSite("--site", file);
  } finally {
    // The server reads the file once, before it listens.
    await rm(folder, { recursive: true, force: true });
  }
}
