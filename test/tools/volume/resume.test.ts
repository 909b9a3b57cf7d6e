import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openResumed } from "../../../src/tools/volume/resume.ts";

describe("a file of answers that goes on", () => {
  const dir = () => {
    const made = mkdtempSync(join(tmpdir(), "txgloss-resume-"));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };
  const long = "y".repeat(1 << 20);
  it.each<[string, string | null, { lines: number; last: string | null }, string]>([
    ["none", null, { lines: 0, last: null }, ""],
    ["an empty one", "", { lines: 0, last: null }, ""],
    ["half a line", "abc", { lines: 0, last: null }, ""],
    ["whole lines", "a\nbé\n", { lines: 2, last: "bé" }, "a\nbé\n"],
    ["whole lines and half a line", "a\nbé\nc", { lines: 2, last: "bé" }, "a\nbé\n"],
    ["an empty line", "a\n\n", { lines: 2, last: "" }, "a\n\n"],
    [
      "lines longer than what is read at once",
      `a\n${long}\n${long}\nz`,
      { lines: 3, last: long },
      `a\n${long}\n${long}\n`,
    ],
  ])("%s", async (_name, before, earlier, kept) => {
    const path = join(dir(), "out");
    if (before !== null) writeFileSync(path, before);
    const output = await openResumed(path);
    expect(output.earlier).toEqual(earlier);
    await output.write(Buffer.from("new\n"));
    await output.write(Buffer.from("er\n"));
    await output.close();
    expect(readFileSync(path, "utf8")).toBe(`${kept}new\ner\n`);
  });

  it("is no device, which may never end", async () => {
    const device = { code: "ENOTFILE", path: "/dev/zero" };
    await expect(openResumed("/dev/zero")).rejects.toMatchObject(device);
  });
});
