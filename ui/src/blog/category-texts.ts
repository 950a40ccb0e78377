import generated from "../../generated/categories.json" with { type: "json" };

/** The heading and introduction of a category's page, and what its articles are about. */
export interface CategoryText {
  heading: string;
  intro: string;
  about: string;
  /** What its link to the questionnaire chooses in advance. */
  problem: string | null;
  propertyType: string | null;
}

/** Returns the texts of `content/categories.toml` for a category, chosen by keywords in its name. */
export function categoryText(name: string): CategoryText {
  const { categories, texts, other } = generated;
  const found = texts.find(({ keywords }) => keywords.some((keyword) => name.toLowerCase().includes(keyword)));
  const { heading, intro } = found ?? other;
  const {
    about = "",
    problem = null,
    property_type: propertyType = null,
  } = categories.find((one) => one.name === name) ?? {};
  return {
    heading: heading.replace("{name}", name),
    intro: intro.replace("{name}", name),
    about,
    problem,
    propertyType,
  };
}
