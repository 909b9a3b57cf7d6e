import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Page } from "playwright-core";

export interface TestBrowser {
  /** Opens the address in a new browser. Nothing that is not on this machine can be reached. */
  newPage(url: string, options?: { script: boolean }): Promise<{ page: Page; close(): Promise<void> }>;
}

const optional = "@sparticuz/chromium";

/** The browser of the optional package. Where it cannot run: the reason as text. */
export function openBrowser(): TestBrowser | string {
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve(optional);
  } catch (error) {
    return `no Chromium: ${(error as Error).message.split("\n")[0]}`;
  }
  if (process.platform !== "linux" || process.arch !== "x64")
    return `no Chromium for ${process.platform}-${process.arch}`;
  return {
    async newPage(url, { script } = { script: true }) {
      const folder = await unpack(resolve(optional));
      const env = { LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") };
      const browser = await chromium.launch({
        executablePath: join(folder, "chromium"),
        env: { ...process.env, ...env },
      });
      const page = await browser.newPage({ javaScriptEnabled: script });
      await page.goto(url);
      return { page, close: () => browser.close() };
    },
  };
}

/**
 * Unpacks the program, with libraries and fonts that the machine may lack, into a folder named after its version. Several processes may do
 * this at the same time: each unpacks into its own folder, and the first one that is ready renames its folder.
 */
async function unpack(entry: string): Promise<string> {
  const place = `node_modules/${optional}`;
  const manifest = join(entry.slice(0, entry.lastIndexOf(place)), place, "package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const folder = join(tmpdir(), `txgloss-chromium-${version}`);
  if (existsSync(folder)) return folder;
  const own = `${folder}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  // The package unpacks into the usual folder for temporary files. It unpacks its libraries only where it believes that it runs on Lambda.
  const env = { ...process.env, TMPDIR: own, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" };
  const program = `import(${JSON.stringify(entry)}).then(({ default: chromium }) => chromium.executablePath())`;
  await promisify(execFile)(process.execPath, ["-e", program], { env });
  // Only the fonts of the package are used, so that a line has the same width on every machine.
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`;
  writeFileSync(join(own, "fonts.conf"), fonts);
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true });
  }
  return folder;
}
