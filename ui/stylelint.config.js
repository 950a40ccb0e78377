/** The breakpoints that `src/styles/tokens.css` names. */
const breakpoints = {
  width: ["40rem", "48rem", "64rem", "76rem"],
  height: ["30rem", "40rem", "60rem"],
};

export default {
  extends: "stylelint-config-recommended",
  rules: {
    "media-feature-name-value-allowed-list": breakpoints,
    // Sheets are in the order of the page; what is more specific is written where it belongs.
    "no-descending-specificity": null,
    "declaration-block-no-redundant-longhand-properties": true,
    "shorthand-property-no-redundant-values": true,
  },
};
