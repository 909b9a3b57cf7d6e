import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "../../support/shared.ts";

/** A real `rule-lint --watch` in a folder of its own, and a wait for what it prints. */
function startWatch(...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "txgloss-watch-"));
  mkdirSync(join(folder, "rules"));
  const text = readFileSync(join(root, "test/tools/lint/RL204/good.yaml"), "utf8");
  for (const name of ["good", "another"])
    writeFileSync(join(folder, `rules/${name}.yaml`), text.replace("protocol: good", `protocol: ${name}`));
  const child = spawn(process.execPath, [join(root, "src/tools/cli/rule-lint.ts"), "--watch", ...args], {
    cwd: folder,
  });
  let seen = "";
  let told = (): void => undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      seen += chunk;
      told();
    });
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });
  return {
    child,
    write: (name: string, change: (text: string) => string) =>
      writeFileSync(
        join(folder, "rules", name),
        change(text.replace("protocol: good", `protocol: ${name.slice(0, -5)}`)),
      ),
    /** Waits until a text was printed, and gives all that was printed up to then. */
    async until(wanted: string): Promise<string> {
      while (!seen.includes(wanted)) await new Promise<void>((resolve) => (told = resolve));
      const end = seen.indexOf(wanted) + wanted.length;
      const before = seen.slice(0, end);
      seen = seen.slice(end);
      return before;
    },
  };
}

describe("rule-lint --watch", { timeout: 60_000 }, () => {
  it("lints again when a file changes, tells what is wrong, and when it is right again", async () => {
    const { child, write, until } = startWatch("rules/good.yaml");
    expect(await until("watching; Ctrl+C ends it\n")).toMatch(
      /^The examples are told as\n[\s\S]*\n0 errors, 0 warnings in 1 file\n/,
    );
    write("good.yaml", (text) => text.replace("at: pool", "at: pol"));
    expect(await until("watching")).toMatch(
      /\d\d:\d\d:\d\d good\.yaml changed\nrules\/good\.yaml:13:9 {2}error {2}RL302 /,
    );
    write("good.yaml", (text) => text);
    expect(await until("watching")).toMatch(
      /good\.yaml changed\nThe examples [\s\S]*\n0 errors, 0 warnings in 1 file\n/,
    );
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([0, null]);
  });

  it("ends with the status of its last run", async () => {
    const { child, write, until } = startWatch("rules");
    await until("watching");
    write("another.yaml", (text) => text.replace("action: lending_supply", "action: lend"));
    expect(await until("watching")).toContain("RL204");
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([1, null]);
  });

  it("does not begin where there is nothing to lint", async () => {
    const { child } = startWatch("no/such/folder");
    expect(await once(child, "close")).toEqual([2, null]);
  });
});
