import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { watchRules } from "../../../src/tools/lint/watch.ts";

it("a watch of one file lints again when a file of its folder changes, whatever options stand beside it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "txgloss-watched-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "good.yaml");
  writeFileSync(file, readFileSync("test/tools/lint/RL204/good.yaml"));
  const end = new AbortController();
  const said: string[] = [];
  const status = watchRules(["--watch", "--format", "json", file], {
    out: (text) => said.push(text),
    // It says so when it watches, and again after each run.
    err(text) {
      if (!text.includes("watching")) return;
      if (said.length < 2) writeFileSync(file, "no: rules\n");
      else end.abort();
    },
    ...{ colour: false, ended: end.signal },
  });
  expect(await status).toBe(1);
  expect(said.some((text) => text.includes("good.yaml changed"))).toBe(true);
});
