import { describe, expect, it } from "vitest";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { watchRules } from "../../../src/tools/lint/watch.ts";

const waiting = "rule-lint: watching; Ctrl+C ends it\n";
const [good, bad] = ["test/tools/lint/RL204/good.yaml", "test/tools/lint/RL204/bad.yaml"];

/** The output of a watch that is ended before anything changes. */
async function watched(args: readonly string[], colour = false) {
  const written: [string, string][] = [];
  const write = (stream: string) => (text: string) => written.push([stream, text]);
  const status = await watchRules(args, {
    ...{ out: write("out"), err: write("err"), colour },
    ended: AbortSignal.abort(),
  });
  return { status, written };
}

describe("a watch that is ended at once", () => {
  it.each([
    [["--watch", good], 0],
    [[good, "--watch", "--format", "json"], 0],
    [[bad, "--watch"], 1],
  ])("%j ends with the status of its run, %d", async (args, status) => {
    const once = runCommand(
      args.filter((arg) => arg !== "--watch"),
      false,
    );
    expect(await watched(args)).toEqual({
      status,
      written: [
        ["out", once.out],
        ["err", ""],
        ["err", waiting],
      ],
    });
  });

  it("is coloured where that is asked", async () => {
    const { written } = await watched([bad], true);
    expect(written[0]).toEqual(["out", runCommand([bad], true).out]);
    expect(written[0]?.[1]).toContain("\u001b[");
  });

  it("does not begin where nothing can be linted", async () => {
    const missing = "no/such/folder";
    expect(await watched([missing, "--watch"])).toEqual({
      status: 2,
      written: [
        ["out", ""],
        ["err", `rule-lint: there is no file or folder ${missing}\n`],
      ],
    });
  });
});
