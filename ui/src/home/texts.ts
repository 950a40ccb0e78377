import home from "../../generated/home.json" with { type: "json" };

/** The texts of content/home.toml, checked by the build. For static sections: the hero has its own (`hero.json`). */
export { home };
