import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WholeEngine } from "../../../src/engine/engine.ts";
import { auditCases } from "../../../src/tools/cli/commands.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { runTxglossHere } from "../cli/txgloss-here.ts";
import { recordingOf } from "../cli/txgloss-process.ts";
import { engine } from "./scene.ts";

const swap = recordingOf("0xcaefbd4ef9f6e3e4024ef4c30926b884884cbccd5293fc534d88c4a8cb2235fb");
/** Somebody joined a club for ether. */
const club = recordingOf("0xc1eb69ba80f10a7e45781f6da36f95c45300e7130db7988ac2e618659cb9a8a7");
const untold =
  "law 3: 0x533D5EcCdd097DE447E4142788dE58f341a4D619 lost 12500000000000000 units of ether, and the summary does not tell it.";

/** An engine that keeps losses to itself. */
const silent: WholeEngine = {
  ...engine,
  decide(caseFile) {
    const decision = engine.decide(caseFile);
    return { ...decision, explanation: { ...decision.explanation, summary: "Something happened." } };
  },
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "txgloss-audit-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

describe("txgloss replay --audit", () => {
  it("prints the statement beside the sentence and ends with 0 where no law is broken", async () => {
    const { code, stdout, stderr } = await runTxglossHere(["replay", "--audit", swap]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/ swapped .* for 0\.00525449 ETH\.$/),
      expect.stringMatching(/^ {2}0xF986\w+ -647096476069709322796 units of 0x2C25\w+: stated$/),
      expect.stringMatching(/^ {2}0xF986\w+ \+5254490577552962 units of ether: stated$/),
      "",
    ]);
  });

  it("prints a line for each violation and ends with 1", async () => {
    const { text, status } = await auditCases([club], silent);
    expect(status).toBe(1);
    const laws = text.split("\n").filter((line) => line.startsWith("law "));
    expect(laws).toEqual([expect.stringMatching(/^law 2: The sender 0x533D/), untold]);
    expect(text).toContain("-12500000000000000 units of ether: not stated");
  });

  it("names the file where there are several", async () => {
    const { text, status } = await auditCases([swap, club], silent);
    expect(status).toBe(1);
    expect(text).toContain(`${club}: ${untold}\n`);
    expect(text).toContain(`${swap}: law 3: `);
    const whole = await auditCases([swap, swap], engine);
    expect([whole.status, whole.text.includes("law ")]).toEqual([0, false]);
  });

  it("ends with 2 for what is no case file of this chain", async () => {
    const [broken, other] = [join(dir, "broken.json"), join(dir, "other.json")];
    writeFileSync(broken, "{");
    writeFileSync(other, JSON.stringify({ ...caseFileOf(hashOf(1)), chain_id: 10 }));
    const ends = await Promise.all(
      [broken, other, join(dir, "missing.json")].map((path) => runTxglossHere(["replay", "--audit", path])),
    );
    expect(ends.map(({ code, stdout }) => [code, stdout])).toEqual([
      [2, ""],
      [2, ""],
      [2, ""],
    ]);
    expect(ends.map(({ stderr }) => stderr.split("\n")[0])).toEqual([
      expect.stringContaining("is not a case file"),
      expect.stringContaining("is a case of chain 10"),
      expect.stringContaining("missing.json"),
    ]);
  });
});
