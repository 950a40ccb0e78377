import { after, before, test } from "node:test";
import { everyOne } from "../../browser/support/stage.ts";
import { type Site, startSite } from "../../browser/support/site.ts";
import type { Browser, Engine, Setting } from "./driver.ts";
import { firefox } from "./firefox.ts";
import { Visitor } from "./visitor.ts";
import { webkit } from "./webkit.ts";

/** Those that the tests of Chromium, `tests/browser`, leave out. */
const ENGINES: readonly Engine[] = [firefox, webkit];

export const PHONE: Setting = { size: { width: 450, height: 800 }, scripts: "on" };
export const DESKTOP: Setting = { size: { width: 1280, height: 800 }, scripts: "on" };

/** How long in milliseconds a test may take: many times what the longest takes on a machine that is busy. */
const TEST_MS = 180_000;

/** What a test does in each engine. */
type Case = (visitor: Visitor, site: Site) => Promise<void>;

/** Defines a test of every engine. */
type EngineTest = (name: string, setting: Setting, run: Case) => void;

/**
 * Starts a site before the tests of a file, and each engine when it is first asked for. Returns what defines a test. An
 * engine that is not installed is skipped, but not where everything is to be tested.
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
          // A browser loses a click or a paint now and then while the machine is busy, so one visit of a file may be made again.
          // What is wrong with the site is wrong twice, or in two tests.
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
