import { describe, expect, it } from "vitest";
import type { FunctionItem } from "../../src/abi/signature.ts";
import { parseSignature } from "../../src/abi/signature-parser.ts";
import { shortHex } from "../../src/kernel/hex.ts";
import { revertReason } from "../../src/present/reasons/revert-reason.ts";
import { bob, calldata } from "../support/case-of.ts";
import { shippedTeller } from "../support/wording.ts";

const teller = shippedTeller();
const trusted = (text: string) => ({ text, untrusted: false });

describe("why a transaction reverted", () => {
  const item = (text: string) => parseSignature(text.replace("error ", "function ")) as FunctionItem;
  const [paused, taken, failed, limit] = [
    item("error Paused()"),
    item("error Taken(string name, bytes32 key)"),
    item("error Failed(uint256 index, bytes why, uint256[] rest)"),
    item("error Limit(uint256 most, bool hard, address who, uint256 asked, uint256 more)"),
  ];
  const errors = new Map([paused, taken, failed, limit].map((one) => [one.hash as string, one]));
  const why = (revertData: string | null, revertError: string | null = null, status = "reverted") =>
    revertReason({ status, revertData, revertError } as never, errors, teller);
  const word = (value: bigint | number) => value.toString(16).padStart(64, "0");
  const error = (text: string, length = text.length) =>
    `0x08c379a0${word(32)}${word(length)}${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
  const panic = (code: number) => `0x4e487b71${word(code)}`;
  const wrapped = (data: string) =>
    calldata("function Failed(uint256 index, bytes why, uint256[] rest)", [1n, data, []]);
  const given = teller.words("reason.argument_given");

  it.each<[string, ReturnType<typeof why>, { text: string; untrusted: boolean } | null]>([
    ["it did not", why(panic(1), null, "success"), null],
    ["a text", why(error("too late")), { text: '"too late"', untrusted: true }],
    ["a text of 120 characters", why(error("x".repeat(120))), { text: `"${"x".repeat(120)}"`, untrusted: true }],
    ["a longer text", why(error("x".repeat(121))), { text: `"${"x".repeat(119)}…"`, untrusted: true }],
    ["part of a text", why(error("too late", 3)), { text: '"too"', untrusted: true }],
    ["a text of 10,000 bytes", why(error("too late", 10_000)), { text: '"too late"', untrusted: true }],
    ["a text that is too long", why(error("too late", 10_001)), null],
    ["a text of a length that nothing has", why(`0x08c379a0${word(32)}8${word(8).slice(1)}${"61".repeat(8)}`), null],
    ["a text whose length is cut off", why(`0x08c379a0${word(32)}${word(8).slice(0, 40)}`), null],
    ["no text", why(error("", 0)), null],
    ["a text that is cut off", why(`0x08c379a0${word(32)}`), null],
    ["a panic", why(panic(0x11)), trusted(teller.panic(0x11n) as string)],
    ["a panic with more behind it", why(`${panic(0x11)}ff`), trusted(teller.panic(0x11n) as string)],
    [
      "a panic of a large number",
      why(`0x4e487b711${word(0x11).slice(1)}`),
      teller.say("reason.unknown_panic", { code: (2n ** 252n + 0x11n).toString() }),
    ],
    ["an unknown panic", why(panic(0x99)), teller.say("reason.unknown_panic", { code: "153" })],
    ["a panic that is cut off", why("0x4e487b71"), teller.say("reason.unknown_error", { selector: "0x4e487b71" })],
    ["an error without arguments", why(paused.hash), trusted("Paused")],
    [
      "an error with more than four",
      why(
        calldata("function Limit(uint256 most, bool hard, address who, uint256 asked, uint256 more)", [
          1_500n,
          true,
          bob,
          7n,
          8n,
        ]),
      ),
      trusted(`Limit (most 1,500, hard true, who ${teller.short(bob)}, asked 7)`),
    ],
    [
      "an error with a text of the contract",
      why(calldata("function Taken(string name, bytes32 key)", ["alice", `0x${word(7)}`])),
      { text: `Taken (name "alice", key 0x0000…0007)`, untrusted: true },
    ],
    [
      "an error with a text that shows nothing",
      why(calldata("function Taken(string name, bytes32 key)", ["", `0x${word(7)}`])),
      trusted(`Taken (name ${given}, key 0x0000…0007)`),
    ],
    [
      "an error that carries another",
      why(wrapped(paused.hash)),
      trusted(`Failed (index 1, why Paused, rest ${given})`),
    ],
    [
      "an error that carries a text",
      why(wrapped(error("too late"))),
      { text: `Failed (index 1, why "too late", rest ${given})`, untrusted: true },
    ],
    [
      "an error that carries an unknown one",
      why(wrapped("0xdeadbeef")),
      trusted(`Failed (index 1, why 0xdeadbeef, rest ${given})`),
    ],
    [
      "errors two deep, and no deeper",
      why(wrapped(wrapped(paused.hash))),
      trusted(`Failed (index 1, why Failed (index 1, why ${shortHex(paused.hash)}, rest ${given}), rest ${given})`),
    ],
    ["an error without its arguments", why(limit.hash), teller.say("reason.unknown_error", { selector: limit.hash })],
    ["an unknown error", why("0xdeadbeef"), teller.say("reason.unknown_error", { selector: "0xdeadbeef" })],
    ["less than an error", why("0xdeadbe", "odd"), { text: '"odd"', untrusted: true }],
    ["what the node says", why(null, "odd thing"), { text: '"odd thing"', untrusted: true }],
    ["what it says at length", why(null, "x".repeat(81)), { text: `"${"x".repeat(79)}…"`, untrusted: true }],
    ["that it ran out of gas", why("0x", "Out of gas: more"), teller.say("reason.out_of_gas", {})],
    ["that it reverted", why(null, "execution reverted"), null],
    ["nothing", why(null), null],
    ["nothing visible", why(null, "\u200b"), null],
  ])("is told by %s", (_case, told, expected) => {
    expect(told).toEqual(expected);
  });
});
