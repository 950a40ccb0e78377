import assert from "node:assert/strict";
import { test } from "node:test";
import { pageStyles } from "./styles.ts";

const SHEET = `
.card{color:red}
.card-title,.other{color:blue}
#top{color:green}
h1{color:black}
.card:has(.gone){margin:0}
@media print{.card{color:black}.gone{display:none}}
.chart-low{fill:red}
.toast{animation:1s rise}
.spinner{animation:1s turn infinite}
@keyframes rise{0%{opacity:0}}
@keyframes turn{to{rotate:1turn}}
@layer late{.banner{top:0}.gone{top:0}}
`;
const rulesFor = pageStyles(SHEET);

test("a page gets the rules of its classes, its ids and of all elements", () => {
  const css = rulesFor('<p id="top" class="x card"><b class="card-title"></b></p>', "");
  for (const kept of [".card{color:red}", ".card-title", "#top", "h1", "@media print{.card{color:#000}}"])
    assert.ok(css.includes(kept), `${kept} in ${css}`);
  for (const dropped of ["gone{", "chart", "toast", "banner", "@keyframes"])
    assert.ok(!css.includes(dropped), `${dropped} in ${css}`);
});

test("of a list it gets the selectors that can match, unless the rest would count for less", () => {
  const sheet =
    ".card,.gone,p.gone+b{color:red}.card>:is(.gone,.title,p){top:0}.card>:is(.gone,p){left:0}.card :is(.gone){left:1px}.card:not(.gone){left:2px}";
  const css = pageStyles(sheet)('<div class="card"><b class="title"></b></div>', "");
  assert.equal(css, ".card{color:red}.card>:is(.title,p){top:0}.card>:is(.gone,p){left:0}.card:not(.gone){left:2px}");
});

test("it gets the rules of what its scripts can add, and the animations that they play", () => {
  const css = rulesFor("", "div\ntoast\na banner");
  assert.ok(css.includes(".toast") && css.includes("@keyframes rise"), css);
  assert.ok(css.includes(".banner{"), css);
  assert.ok(!css.includes("turn") && !css.includes(".card{"), css);
});

test("a script may put a name together", () => {
  assert.ok(rulesFor("", "chart-").includes(".chart-low"));
  assert.ok(rulesFor("", "-low").includes(".chart-low"));
  assert.ok(!rulesFor("", "chart - low").includes(".chart-low"));
});

test("conditions in a template are no classes", () => {
  const css = rulesFor('<p class="{% if a %}card{% else %}toast{% endif %}">', "");
  assert.ok(css.includes(".card{") && css.includes(".toast{"), css);
});
