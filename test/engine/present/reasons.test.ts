import { describe, expect, it } from "vitest";
import { revertReason } from "../../../src/engine/present/reasons/revert-reason.ts";
import { shortHex } from "../../../src/kernel/hex.ts";
import type { FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { bob, calldata, carol } from "../../support/case-of.ts";
import { shippedTeller } from "../../support/wording.ts";

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
  const meant = item("error Late(uint256 until)");
  const errors = new Map([paused, taken, failed, limit, meant].map((one) => [one.hash as string, one]));
  const causes = new Map([
    [meant.hash as string, "it came too late"],
    ["STF", "nothing could be taken"],
    ["invalid opcode: INVALID", "it broke off"],
  ]);
  const told = (file: object, tx: object, failures: object[] = []) =>
    revertReason({ file, tx, subject: bob, ruleset: { errors, causes, phrasedCauses: new Map(), failures } } as never, {
      teller,
    });
  const failing = (output: string | null, error: string | null, calls: object[] = []) => ({
    ...(output !== null && { output }),
    ...(error !== null && { error }),
    calls,
  });
  const whyOf = (root: object, status = "reverted") => told({ trace: { root } }, { status });
  const why = (revertData: string | null, revertError: string | null = null, status?: string) =>
    whyOf(failing(revertData, revertError), status);
  const word = (value: bigint | number) => value.toString(16).padStart(64, "0");
  const error = (text: string, length = text.length) =>
    `0x08c379a0${word(32)}${word(length)}${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
  const panic = (code: number) => `0x4e487b71${word(code)}`;
  const wrapped = (data: string) =>
    calldata("function Failed(uint256 index, bytes why, uint256[] rest)", [1n, data, []]);
  const given = teller.words("reason.argument_given");
  const within = (reason: string, inner: string) =>
    teller.say("reason.within", { reason: trusted(reason), inner: trusted(inner) });

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
    ["an error that carries another", why(wrapped(paused.hash)), within(`Failed (index 1, rest ${given})`, "Paused")],
    [
      "an error that carries a text",
      why(wrapped(error("too late"))),
      { ...within(`Failed (index 1, rest ${given})`, '"too late"'), untrusted: true },
    ],
    [
      "an error that carries an unknown one",
      why(wrapped("0xdeadbeef")),
      trusted(`Failed (index 1, why 0xdeadbeef, rest ${given})`),
    ],
    [
      "the first and the last of errors around each other",
      why(wrapped(wrapped(paused.hash))),
      within(`Failed (index 1, rest ${given})`, "Paused"),
    ],
    [
      "errors three deep, and no deeper",
      why(wrapped(wrapped(wrapped(paused.hash)))),
      within(`Failed (index 1, rest ${given})`, `Failed (index 1, why ${shortHex(paused.hash)}, rest ${given})`),
    ],
    ["an error without its arguments", why(limit.hash), teller.say("reason.unknown_error", { selector: limit.hash })],
    ["an unknown error", why("0xdeadbeef"), teller.say("reason.unknown_error", { selector: "0xdeadbeef" })],
    ["less than an error", why("0xdeadbe", "odd"), { text: '"odd"', untrusted: true }],
    ["what the node says", why(null, "odd thing"), { text: '"odd thing"', untrusted: true }],
    ["what it says at length", why(null, "x".repeat(81)), { text: `"${"x".repeat(79)}…"`, untrusted: true }],
    ["that it ran out of gas", why("0x", "Out of gas: more"), teller.say("reason.out_of_gas", {})],
    ["that it reverted", why(null, "execution reverted"), null],
    ["that it reverted, as others say it", why(null, "Reverted"), null],
    [
      "what an error means",
      why(calldata("function Late(uint256 until)", [1_500n])),
      trusted("it came too late (Late: until 1,500)"),
    ],
    ["what a text means", why(error("STF")), { text: 'nothing could be taken ("STF")', untrusted: true }],
    [
      "what the node's words mean",
      why(null, "invalid opcode: INVALID"),
      { text: 'it broke off ("invalid opcode: INVALID")', untrusted: true },
    ],
    [
      "what a text means that another error carries",
      why(wrapped(error("STF"))),
      { ...within(`Failed (index 1, rest ${given})`, 'nothing could be taken ("STF")'), untrusted: true },
    ],
    ["nothing", why(null), null],
    ["nothing visible", why(null, "\u200b"), null],
  ])("is told by %s", (_case, told, expected) => {
    expect(told).toEqual(expected);
  });

  const out = failing("0x", "out of gas");
  const reverted = "execution reverted";
  it.each<[string, object, ReturnType<typeof why>]>([
    [
      "gas ran out in the last call inside",
      failing("0x", reverted, [failing(null, reverted, [out])]),
      teller.say("reason.out_of_gas", {}),
    ],
    ["a call before the last one failed", failing("0x", reverted, [out, {}]), null],
    ["the last call inside did not fail", failing("0x", reverted, [{ calls: [out] }]), null],
    [
      "a call inside failed for a reason of its own",
      failing(error("STF"), reverted, [failing(paused.hash, reverted)]),
      teller.say("reason.within", {
        reason: { text: 'nothing could be taken ("STF")', untrusted: true },
        inner: trusted("Paused"),
      }),
    ],
    [
      "a call inside failed for the same",
      failing(paused.hash, reverted, [failing(paused.hash, reverted)]),
      trusted("Paused"),
    ],
    [
      "what failed inside is carried",
      failing(wrapped(paused.hash), reverted, [failing(paused.hash, reverted)]),
      within(`Failed (index 1, rest ${given})`, "Paused"),
    ],
  ])("is told where %s", (_case, root, expected) => {
    expect(whyOf(root)).toEqual(expected);
  });

  it.each<[number, number, boolean]>([
    [6_400, 6_400, true],
    [6_400, 6_300, true],
    [6_400, 6_299, false],
    [0, 6_400, false],
  ])("may be gas where of %d units %d were used and nothing else is known", (limit, used, spent) => {
    const hex = (value: number) => `0x${value.toString(16)}`;
    const file = { transaction: { gas: hex(limit) }, receipt: { gasUsed: hex(used) }, trace: { source: "none" } };
    expect(told(file, { status: "reverted" })).toEqual(spent ? teller.say("reason.gas_spent", {}) : null);
    const seen = { ...file, trace: { root: failing("0x", reverted) } };
    expect(told(seen, { status: "reverted" })).toBeNull();
  });

  it("is taken from an event if the account's call failed inside a transaction that succeeded", () => {
    const event = { hash: "0xee", read: (_topics: unknown, data: string) => (data === "0x" ? undefined : [bob, data]) };
    const contracts = new Set([carol]);
    const failures = [
      { event, contracts, account: 0, reason: null },
      { event, contracts, account: 0, reason: 1 },
    ];
    const logs = (...list: [string, string][]) => ({
      status: "success",
      logs: list.map(([topic, data]) => ({ address: carol, topics: [topic], data })),
    });
    expect(told({}, logs(["0xaa", paused.hash], ["0xee", "0x"], ["0xee", paused.hash]), failures)).toEqual(
      trusted("Paused"),
    );
    expect(told({}, logs(["0xaa", paused.hash]), failures)).toBeNull();
    const others = [{ event, contracts, account: 1, reason: 1 }];
    expect(told({}, logs(["0xee", paused.hash]), others)).toBeNull();
    // A stranger's event says nothing of the account.
    const genuine = failures.map((one) => ({ ...one, contracts: new Set([bob]) }));
    expect(told({}, logs(["0xee", paused.hash]), genuine)).toBeNull();
  });
});
