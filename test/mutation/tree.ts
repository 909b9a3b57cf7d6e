import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A copy of the checkout in which files may be changed. It uses the packages of the checkout, but not the caches inside them. */
export function copyTree(from: string): string {
  const to = mkdtempSync(join(tmpdir(), "txgloss-mutate-"));
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: from, encoding: "utf8" });
  for (const path of listed.split("\0").filter((name) => name !== "" && existsSync(join(from, name)))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    copyFileSync(join(from, path), join(to, path));
  }
  mkdirSync(join(to, "node_modules"));
  for (const name of readdirSync(join(from, "node_modules")))
    if (name !== ".cache" && !name.startsWith(".vite"))
      symlinkSync(join(from, "node_modules", name), join(to, "node_modules", name));
  return to;
}

/** Keeps what the unchanged product wrote into its caches and restores it, so that one change leaves nothing there for the next one. */
export class CacheGuard {
  readonly #cache: string;
  readonly #kept: string;

  constructor(tree: string) {
    this.#cache = join(tree, "node_modules/.cache");
    this.#kept = join(tree, "node_modules/.kept");
  }

  keep(): void {
    rmSync(this.#kept, { recursive: true, force: true });
    if (existsSync(this.#cache)) cpSync(this.#cache, this.#kept, { recursive: true });
  }

  restore(): void {
    rmSync(this.#cache, { recursive: true, force: true });
    if (existsSync(this.#kept)) cpSync(this.#kept, this.#cache, { recursive: true });
  }
}
