import { encodeAbiParameters, pad, parseAbiParameters } from "viem/utils";
import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { untrustedAt } from "../../../src/tools/lint/examples/untrusted.ts";
import { forgedOperations } from "../../../src/tools/lint/mutation/planted-event.ts";

const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
const [subject, pool, entry] = [party("a"), party("b"), party("e")];
const event = parseSignature("event Ran(bytes32 indexed id, address indexed sender, bool ok, uint8 count)");
const signed = parseSignature("event Signed(address indexed owner)");
const hints = [{ event, argument: [1] }];
const log = (...topics: string[]) => ({ address: pool, topics, data: "0x" });
const own = log("0x01");

interface Given {
  rule?: object;
  status?: string;
  logs?: object[];
  subjects?: object[];
  signers?: object[];
}

function forged({ rule = {}, status = "success", logs = [own], subjects = hints, signers = [] }: Given = {}) {
  const native = { standard: "native", from: subject, to: pool, amount: 7n };
  return forgedOperations({
    caseFile: {
      ...{ tx_hash: "0x12", tokens: { x: 1 }, trace: { source: "none" } },
      transaction: { hash: "0x12", from: subject, to: pool, value: "0x7", input: "0x", type: "0x0", mint: "0x1" },
      receipt: { status: "0x1", logs },
    },
    trial: { tx: { status, movements: [native, { ...native, standard: "erc20" }] } },
    candidate: { rule: { anchor: { kind: "event" }, actsFor: null, ...rule }, context: { subject } },
    world: { ruleset: { subjects, signers } },
  } as never);
}

describe("an operation that an untrusted contract makes up", () => {
  it("names the subject beside the example's logs, in a transaction of somebody else", () => {
    const [sender, contract] = [untrustedAt(0), untrustedAt(1)];
    const [one, ...more] = forged();
    expect([one?.kind, one?.change, more]).toEqual(["forged-operation", "an untrusted contract's Ran", []]);
    expect(one?.caseFile).toEqual({
      ...{ tx_hash: "0x12", tokens: { x: 1 } },
      transaction: {
        ...{ hash: "0x12", from: sender, to: contract, value: "0x0", input: "0x12345678", type: "0x2", mint: "0x1" },
      },
      receipt: {
        status: "0x1",
        logs: [
          own,
          {
            address: contract,
            topics: [event.hash, pad("0x0"), pad(subject)],
            data: encodeAbiParameters(parseAbiParameters("bool, uint8"), [true, 3]),
          },
        ],
      },
      trace: {
        ...{ source: "internal_transfers", provider: "example" },
        internal_transfers: [{ type: "call", from: subject, to: pool, value: "7", success: true }],
      },
    });
  });

  it("stands in the place of those that the example has, whoever wrote them", () => {
    const genuine = log(event.hash.toUpperCase().replace("0X", "0x"), pad("0x1"));
    const logs = (...given: object[]) => forged({ logs: given })[0]?.caseFile.receipt.logs.slice(0, -1);
    expect(logs(genuine, own, log(), log("0x02", event.hash))).toEqual([own, log(), log("0x02", event.hash)]);
  });

  it("is one for each event that names an account, of rules that rest on logs", () => {
    const second = { event: signed, argument: [0] };
    expect(forged({ subjects: [...hints, second] }).map(({ change }) => change)).toEqual([
      ...["an untrusted contract's Ran", "an untrusted contract's Signed"],
    ]);
    const counts = ["event", "transfer", "call", "none"].map((kind) => forged({ rule: { anchor: { kind } } }).length);
    expect(counts).toEqual([1, 1, 0, 0]);
    expect([
      forged({ status: "reverted" }),
      forged({ rule: { actsFor: "args.owner" } }),
      forged({ subjects: [] }),
    ]).toEqual([...[[], [], []]]);
  });
});

describe("what is made of a made-up operation", () => {
  const action = (id: string, account = subject, actsFor: string | null = null) => ({
    ...{ rule: { id, actsFor }, context: { subject: account } },
  });
  const judge = (actions: object[], { logs = [] as object[], signers = [] as object[] } = {}) => {
    const gates = { admits: (gate: string, address: string) => gate === address };
    return forged({ signers })[0]?.judge({ trial: { actions, tx: { logs, from: pool }, gates } } as never);
  };

  it("must not be an act of the subject, unless the rule says for whom it acts", () => {
    const told = "a/pay stands for the subject";
    expect([judge([]), judge([action("a/pay", pool)]), judge([action("a/pay", subject, "args.owner")])]).toEqual([
      ...[null, null, null],
    ]);
    expect([judge([action("a/pay")]), judge([action("b/got", pool), action("a/pay"), action("c/x")])]).toEqual([
      told,
      told,
    ]);
  });

  it("may be one whose signed permission a known contract reports", () => {
    const signers = [{ event: signed, argument: [0], gate: entry }];
    const reported = (address: string, owner: string) => ({
      logs: [{ address, topics: [signed.hash, pad(owner as `0x${string}`)], data: "0x" }],
      signers,
    });
    expect(judge([action("a/pay")], reported(entry, subject))).toBeNull();
    for (const other of [reported(entry, pool), reported(pool, subject)])
      expect(judge([action("a/pay")], other)).toBe("a/pay stands for the subject");
  });
});
