import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./shared.ts";

/** A folder of somebody who has installed the package. */
export interface Installed {
  dir: string;
  /** The packed file. */
  tarball: string;
  remove(): void;
}

/**
 * Packs the package as `npm publish` does and unpacks it into an empty folder. Its dependencies are linked instead of downloaded;
 * the optional ones are not there.
 */
export function installPackage(): Installed {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-package-"));
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", dir], { cwd: root, encoding: "utf8" });
  const tarball = join(dir, packed.trim().split("\n").at(-1) as string);
  const place = join(dir, "node_modules/txgloss");
  mkdirSync(place, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", place]);
  const { dependencies } = JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(dir, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(dir, "node_modules", name));
  }
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }\n');
  return { dir, tarball, remove: () => rmSync(dir, { recursive: true }) };
}
