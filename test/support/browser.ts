import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A page in a real Chromium: the part of puppeteer's page that tests use. */
export interface BrowserPage {
  goto(url: string): Promise<unknown>;
  /** The next page that is loaded. */
  waitForNavigation(): Promise<unknown>;
  /** Runs a program in the page, which is given as text. */
  evaluate(program: string): Promise<unknown>;
  setViewport(size: { width: number; height: number }): Promise<void>;
  emulateMediaFeatures(features: { name: string; value: string }[]): Promise<void>;
  /** `print` or `screen`. */
  emulateMediaType(type: string): Promise<void>;
  setJavaScriptEnabled(enabled: boolean): Promise<void>;
  /** The page itself first, then the frames in it. */
  frames(): Pick<BrowserPage, "evaluate">[];
  screenshot(options: { path: string; fullPage?: boolean }): Promise<unknown>;
  on(event: "request", seen: (request: { url(): string }) => void): void;
  on(event: "console", seen: (message: { text(): string }) => void): void;
}

export interface TestBrowser {
  /** Opens the address in a new browser. Nothing that is not on this machine can be reached. */
  newPage(url: string): Promise<{ page: BrowserPage; close(): Promise<void> }>;
}

/** The packages are optional, so nothing may depend on their types. */
interface Chromium {
  args: string[];
  executablePath(): Promise<string>;
}

interface Puppeteer {
  launch(options: object): Promise<{ newPage(): Promise<BrowserPage>; close(): Promise<void> }>;
}

const packages = ["@sparticuz/chromium", "puppeteer-core"] as const;

/** The browser of the optional packages, or why there is none. */
export function openBrowser(): TestBrowser | string {
  const { resolve } = createRequire(import.meta.url);
  try {
    for (const name of packages) resolve(name);
  } catch (error) {
    return `no Chromium: ${(error as Error).message.split("\n")[0]}`;
  }
  if (process.platform !== "linux" || process.arch !== "x64")
    return `no Chromium for ${process.platform}-${process.arch}`;
  return {
    async newPage(url) {
      const [chromium, puppeteer] = await Promise.all(packages.map(async (name) => (await import(name)).default));
      const { args } = chromium as Chromium;
      const options = {
        args,
        executablePath: await unpack(chromium as Chromium, resolve(packages[0])),
        headless: "shell",
      };
      const browser = await (puppeteer as Puppeteer).launch(options);
      const page = await browser.newPage();
      await page.goto(url);
      return { page, close: () => browser.close() };
    },
  };
}

/** Unpacks the program into a folder of its version: another one that lies in the usual place would be taken as it is. */
async function unpack(chromium: Chromium, entry: string): Promise<string> {
  const place = `node_modules/${packages[0]}`;
  const manifest = join(entry.slice(0, entry.lastIndexOf(place)), place, "package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const before = process.env.TMPDIR;
  process.env.TMPDIR = join(tmpdir(), `txgloss-chromium-${version}`);
  mkdirSync(process.env.TMPDIR, { recursive: true });
  try {
    return await chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
