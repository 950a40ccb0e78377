import { guarded } from "./browser/guarded.ts";
import { startChat } from "./enhancements/chat/chat-button.ts";
import { startBanner } from "./enhancements/consent/banner.ts";
import { watchQueue } from "./questionnaire/delivery/watch-queue.ts";
import { enhance } from "./enhancements/enhance.ts";
import { countIfLoadedAhead } from "./analytics/counts.ts";
import { fetchQuestionnaireAhead } from "./island/fetch-page-ahead.ts";
import { loadIsland } from "./island/load.ts";
import { startHeader } from "./enhancements/header.ts";
import { startTags } from "./analytics/tags/tags.ts";
import { keepToastsForNextPage, showToastsOfPageBefore, startToaster } from "./enhancements/toast/toaster.ts";
import { startTooltips } from "./enhancements/tooltips.ts";
import { whenShown } from "./browser/lifecycle.ts";

/*
 * The script of every page, which is complete without it; the list below is what it adds. Code that few visits need comes by
 * `import()`: deliveries, tags. If one enhancement fails, the others still run. Pages with an island also load `entry-island.ts`.
 */
const hasIsland = document.querySelector("[data-island]") !== null;
const starts: readonly (() => void)[] = [
  ...(hasIsland ? [() => loadIsland(watchQueue)] : [watchQueue, fetchQuestionnaireAhead]),
  startHeader,
  () => enhance(document),
  startTooltips,
  startToaster,
  keepToastsForNextPage,
  () => whenShown(showToastsOfPageBefore),
  startBanner,
  startChat,
  startTags,
  countIfLoadedAhead,
];
starts.forEach(guarded);
if (document.querySelector("[data-unknown-route]"))
  console.error(`404: there is no route for ${window.location.pathname}`);
document.documentElement.dataset.started = "";
