import { describe, expect, it } from "vitest";
import { toAddress } from "../../../../src/kernel/address.ts";
import { parseSignature } from "../../../../src/rules/abi/signature-parser.ts";
import { checkTransaction, transactionCheck } from "../../../../src/tools/lint/facts/cited-transaction.ts";

const [address, other] = ["a", "b"].map((digit) => toAddress(`0x${digit.repeat(40)}`));
const upper = (text: string | undefined) => text?.toUpperCase().replace("0X", "0x");
const hash = `0x${"12".repeat(32)}`;
const [run, ran] = ["function run(uint256 size)", "event Ran(uint256 size)"] as const;
const [selector, topic] = [run, ran].map((signature) => parseSignature(signature).hash);
const fact = { address, document: { abi: { run, Ran: ran } } } as never;
const citation = (role: string | null) => ({ kind: "transaction", hash, role }) as never;
const call = (to: string | null | undefined, input = "0x", ok = true) => ({ to, input, ok });
const log = (at: string | undefined, ...topics: string[]) => ({ address: at, topics });
const seen = (more: object) => ({ status: "success", created: null, calls: [], logs: [], ...more }) as never;
const found = { status: "found", detail: "" };
const nowhere = { status: "absent", detail: "it takes no part in it" };

describe("a cited transaction", () => {
  it.each<[string, object, object]>([
    ["a log", { logs: [log(address)] }, found],
    ["one of several logs", { logs: [log(other), log(address)] }, found],
    ["a call", { calls: [call(address)] }, found],
    ["its creation", { created: address }, found],
    ["a call that failed", { calls: [call(address, "0x", false)] }, nowhere],
    ["another's log, call and creation", { logs: [log(other)], calls: [call(other)], created: other }, nowhere],
    ["nothing", {}, nowhere],
  ])("shows an address by %s", (_what, tx, verdict) => {
    expect(checkTransaction(citation(null), fact, seen(tx))).toEqual(verdict);
  });

  it.each<[string, string, object, boolean]>([
    ["Ran", "its log", { logs: [log(address, "0x1"), log(address, topic as string)] }, true],
    ["Ran", "another log", { logs: [log(address, "0x1", topic as string)] }, false],
    ["Ran", "another's log", { logs: [log(other, topic as string), log(address)] }, false],
    ["run", "a call", { calls: [call(address), call(address, `${selector}00`)] }, true],
    ["run", "another call", { calls: [call(address, `0x00${selector}`)] }, false],
    ["run", "a call that failed", { calls: [call(address, selector, false)] }, false],
    ["run", "a call of another", { calls: [call(other, selector), call(address)] }, false],
  ])("shows its %s by %s: %3$s", (role, _what, tx, shown) => {
    const absent = { status: "absent", detail: `it has no part in ${role} there` };
    expect(checkTransaction(citation(role), fact, seen(tx))).toEqual(shown ? found : absent);
  });

  it("shows nothing of what has no address, or no signature", () => {
    const check = (role: string | null, about: object) => checkTransaction(citation(role), about as never, seen({}));
    const none = { status: "uncheckable", detail: "the file has no `stop` in its abi" };
    expect(check(null, { address: null })).toEqual({
      ...{ status: "uncheckable", detail: "a transaction shows an address only" },
    });
    expect([check("stop", { address, document: { abi: {} } }), check("stop", { address })]).toEqual([none, none]);
  });
});

describe("a cited transaction at an endpoint", () => {
  const judge = (sent: unknown, receipt: unknown, role: string | null = null) =>
    transactionCheck(citation(role), fact, "tx").judge([sent, receipt]);

  it("is asked for by its hash", () => {
    const { source, calls } = transactionCheck(citation(null), fact, "tx");
    expect([source, calls]).toEqual([
      "tx",
      [
        { method: "eth_getTransactionByHash", params: [hash] },
        { method: "eth_getTransactionReceipt", params: [hash] },
      ],
    ]);
  });

  it("is judged by its own call, its logs and what it created", () => {
    const receipt = { status: "0x1", contractAddress: null, logs: [] };
    const unknown = { status: "absent", detail: "the endpoint knows no such transaction" };
    expect([judge(null, null), judge({}, {})]).toEqual([unknown, unknown]);
    expect(judge(null, receipt)).toEqual(nowhere);
    expect(judge({ to: null, input: "0x" }, receipt)).toEqual(nowhere);
    expect(judge({ to: upper(address), input: "0x" }, receipt)).toEqual(found);
    expect(judge({ to: address, input: "0x" }, { ...receipt, status: "0x0" })).toEqual(nowhere);
    expect(judge({ to: other }, { ...receipt, contractAddress: upper(address) })).toEqual(found);
    expect(judge({ to: other }, { ...receipt, logs: [log(upper(address))] })).toEqual(found);
    expect(judge({ to: address, input: selector }, receipt, "run")).toEqual(found);
    expect(judge({ to: other, input: selector }, { ...receipt, logs: [log(address, topic as string)] }, "Ran")).toEqual(
      found,
    );
    expect(judge({ to: address }, receipt, "run")).toMatchObject({ status: "absent" });
  });
});
