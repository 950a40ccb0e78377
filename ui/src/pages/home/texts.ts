import home from "../../../generated/home.json" with { type: "json" };

/** The texts of content/home.toml, checked by the build. For pages that are rendered at build time. */
export { home };
