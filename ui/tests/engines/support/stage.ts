import { after, before, test } from "node:test";
import { everyOne } from "../../browser/support/stage.ts";
import { type Site, startSite } from "../../browser/support/site.ts";
import type { Browser, Engine, Setting } from "./driver.ts";
import { firefox } from "./firefox.ts";
import { Visitor } from "./visitor.ts";
import { webkit } from "./webkit.ts";

/** The engines that `tests/browser`, which runs in Chromium, does not cover. */
const ENGINES: readonly Engine[] = [firefox, webkit];

export const PHONE: Setting = { size: { width: 450, height: 800 }, scripts: "on" };
export const DESKTOP: Setting = { size: { width: 1280, height: 800 }, scripts: "on" };

/** The time limit of a test in milliseconds: many times what the slowest takes on a busy machine. */
const TEST_MS = 180_000;

/** The body of a test, which runs in each engine. */
type Case = (visitor: Visitor, site: Site) => Promise<void>;

/** Defines a test for every engine. */
type EngineTest = (name: string, setting: Setting, run: Case) => void;

/**
 * Starts a site before the tests of a file, and each engine when it is first needed. Returns a function that defines a
 * test. Engines that are not installed are skipped, except in CI.
 */
export function useEngines(start: () => Promise<Site> = startSite): EngineTest {
  let site: Site;
  const launched = new Map<Engine, Promise<Browser>>();
  let hasSpare = true;
  before(async () => {
    site = await start();
  });
  after(() => everyOne([...[...launched.values()].map(async (browser) => (await browser).close()), site?.stop()]), {
    timeout: TEST_MS,
  });

  return (name, setting, run) => {
    for (const engine of ENGINES) {
      const visit = async () => {
        const launching = launched.get(engine) ?? engine.launch();
        launched.set(engine, launching);
        const driver = await (await launching).open(setting);
        try {
          await run(new Visitor(driver, site.url, setting.scripts), site);
        } finally {
          await driver.close();
        }
      };
      test(`${engine.name}: ${name}`, { skip: reasonToSkip(engine), timeout: TEST_MS }, async (context) => {
        try {
          await visit();
        } catch (error) {
          // On a busy machine browsers occasionally lose a click or a paint, so each file may repeat one visit. A real
          // fault of the site fails twice, or in two tests.
          if (!hasSpare) throw error;
          hasSpare = false;
          context.diagnostic(`made again, since it failed: ${error}`);
          await visit();
        }
      });
    }
  };
}

function reasonToSkip(engine: Engine): string | false {
  const lacking = engine.lacking();
  if (lacking === null || process.env.CI === "true") return false;
  return `${lacking} is not installed`;
}
