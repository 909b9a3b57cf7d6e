import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
 * Packs the package as `npm publish` does and unpacks it into an empty folder. Its dependencies are linked, not downloaded. Its optional
 * dependencies are missing.
 */
export function installPackage(): Installed {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-package-"));
  const tarball = join(dir, "txgloss.tgz");
  copyFileSync(packOnce(), tarball);
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

/** The package is packed once for the whole run. Test files run at the same time, and two builds would write into the same folder. */
function packOnce(): string {
  const shared = join(root, `node_modules/.cache/txgloss-pack-${process.ppid}`);
  const [lock, done] = [join(shared, "lock"), join(shared, "txgloss.tgz")];
  mkdirSync(shared, { recursive: true });
  while (!takes(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  try {
    if (existsSync(done)) return done;
    const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", shared], {
      cwd: root,
      encoding: "utf8",
    });
    renameSync(join(shared, packed.trim().split("\n").at(-1) as string), done);
    return done;
  } finally {
    rmdirSync(lock);
  }
}

function takes(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}
