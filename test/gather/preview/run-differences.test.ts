import { describe, expect, it } from "vitest";
import { type DecidedRun, endsDiffer } from "../../../src/gather/preview/runs/run-differences.ts";
import { approvalForAllTopic, approvalTopic, transferTopic } from "../../../src/kernel/token-standards.ts";
import { alice } from "../../support/case-of.ts";
import { word } from "./unsigned-case.ts";

describe("two runs", () => {
  interface End {
    status?: string;
    /** `from to amount token`. */
    moved?: string[];
    logs?: { address: string; topics: string[]; data: string }[];
    subject?: string;
  }
  const run = ({ status = "success", moved = [], logs = [], subject = "0xsub" }: End): DecidedRun => {
    const assets_moved = moved.map((text) => {
      const [from, to, amount, token_address, token_id] = text.split(" ");
      return { from, to, amount, token_address, ...(token_id !== undefined && { token_id }) };
    });
    const decision = { explanation: { status, assets_moved }, evidence: () => ({ subject }) };
    return { file: { transaction: { from: "0xA1" }, receipt: { logs } }, decision } as never;
  };
  const approval = (amount: bigint | string, { topic = approvalTopic, owner = word(alice), of = "0xT" } = {}) => ({
    ...{ address: of, topics: [topic, owner, word("0xb0")], data: typeof amount === "string" ? amount : word(amount) },
  });

  it.each<[string, End, End, boolean]>([
    ["nothing", {}, {}, false],
    ["one reverted", {}, { status: "reverted" }, true],
    ["the same", { moved: ["0xa1 0xb 5 t"] }, { moved: ["0xA1 0xc 5 t"] }, false],
    ["another token", { moved: ["0xa1 0xb 5 t"] }, { moved: ["0xa1 0xb 5 u"] }, true],
    ["another NFT", { moved: ["0xa1 0xb 1 t 1"] }, { moved: ["0xa1 0xb 1 t 2"] }, true],
    ["the other way", { moved: ["0xa1 0xb 5 t"] }, { moved: ["0xb 0xa1 5 t"] }, true],
    ["a thousandth more", { moved: ["0xa1 0xb 999 t"] }, { moved: ["0xa1 0xb 1000 t"] }, false],
    ["more than a thousandth", { moved: ["0xa1 0xb 998.9 t"] }, { moved: ["0xa1 0xb 1000 t"] }, true],
    ["the same in two parts", { moved: ["0xa1 0xb 5 t"] }, { moved: ["0xa1 0xb 2 t", "0xa1 0xb 3 t"] }, false],
    ["there and back", {}, { moved: ["0xa1 0xb 5 t", "0xb 0xa1 5 t"] }, false],
    ["what others moved", {}, { moved: ["0xb 0xc 5 t"] }, false],
    ["what the subject got", {}, { moved: ["0xb 0xsub 5 t"] }, true],
    ["what the subject of one of them got", { moved: ["0xb 0xc 5 t"] }, { subject: "0xc" }, true],
  ])("that moved %s", (_case, one, other, differ) => {
    expect([endsDiffer(run(one), run(other)), endsDiffer(run(other), run(one))]).toEqual([differ, differ]);
  });

  it.each<[string, (bigint | string | object)[], (bigint | string | object)[], boolean]>([
    ["none", [], [], false],
    ["one more", [], [5n], true],
    ["about as much", [5n], [6n], false],
    ["half of all numbers", [2n ** 160n - 2n], [2n ** 160n - 1n], true],
    ["all of them", [2n ** 160n - 1n], [2n ** 256n - 1n], false],
    ["nothing", [0n], [1n], true],
    ["no number", [0n], ["0x"], false],
    ["the last word", [5n, 0n], [0n], false],
    ["another topic", [5n], [approval(5n, { topic: approvalForAllTopic })], true],
    ["another token", [5n], [approval(5n, { of: "0xU" })], true],
    ["what is no right", [], [approval(5n, { topic: transferTopic })], false],
    ["what others gave", [], [approval(5n, { owner: word("0xb0") })], false],
  ])("that gave rights: %s", (_case, one, other, differ) => {
    const logsOf = (list: (bigint | string | object)[]) =>
      list.map((each) => (typeof each === "object" ? (each as ReturnType<typeof approval>) : approval(each)));
    const given = (list: (bigint | string | object)[]) => {
      const { file, decision } = run({ logs: logsOf(list) });
      return { file: { ...file, transaction: { from: alice.toUpperCase().replace("0X", "0x") } }, decision } as never;
    };
    expect([endsDiffer(given(one), given(other)), endsDiffer(given(other), given(one))]).toEqual([differ, differ]);
  });
});
