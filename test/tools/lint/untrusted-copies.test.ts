import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import { people } from "../../../src/tools/lint/examples/given-names.ts";
import {
  contractsOf,
  protectingGates,
  swapAddresses,
  swapLogs,
  untrustedAt,
  untrustedCopies,
  untrustedFor,
} from "../../../src/tools/lint/examples/untrusted.ts";
import { shippedLabels } from "../../support/labels.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
const [a, b, c, factory] = [party("a"), party("b"), party("c"), party("f")];
const upper = (address: string) => address.toUpperCase().replace("0X", "0x");
const set = (...addresses: string[]) => ({ kind: "set", addresses: new Set(addresses) }) as never;
const any = { kind: "any" } as never;

describe("untrusted contracts", () => {
  it("are numbered from the stranger on, in the order of the addresses that they replace", () => {
    expect(untrustedAt(0)).toBe(people.stranger);
    expect(untrustedAt(2)).toBe("0x57a46e000000000000000000000000000057a470");
    expect([...untrustedFor([b, a, b])]).toEqual([
      [a, untrustedAt(0)],
      [b, untrustedAt(1)],
    ]);
  });

  it("stand wherever the addresses stood, in words too", () => {
    const value = { to: upper(a), data: `0x12${a.slice(2)}34`, other: b, list: [a] };
    const stranger = untrustedAt(0);
    expect(swapAddresses(value, new Map([[a, stranger]]))).toEqual({
      ...{ to: `0x${stranger.slice(2)}`, data: `0x12${stranger.slice(2)}34`, other: b, list: [stranger] },
    });
    expect(swapAddresses(value, new Map())).toBe(value);
  });

  it("do not write the logs of factories", () => {
    const members = [{ proofs: [{ kind: "registry" }, { kind: "created", factories: new Set([factory]) }] }];
    const log = (address: string) => ({ address, topics: [`0x${a.slice(2)}`], data: "0x" });
    const swapped = swapLogs([log(upper(factory)), log(b)] as never, members as never, new Map([[a, c]]));
    expect(swapped).toEqual([log(upper(factory)), { ...log(b), topics: [`0x${c.slice(2)}`] }]);
  });

  it("take the place of roles and members", () => {
    const scope = { contracts: new Map([["desk", [a, b]]]), members: new Map([["pool", { role: "pool" }]]) };
    expect(contractsOf(scope as never, ["desk", "pool", "none"])).toEqual({
      ...{ addresses: [a, b], members: [{ role: "pool" }] },
    });
  });
});

describe("gates that protect", () => {
  const [one, two] = [set(a), set(b)];
  it.each<[string, object, unknown[]]>([
    ["of an event", { kind: "event", gate: one, companion: null }, [one]],
    ["of an event beside a call", { kind: "event", gate: one, companion: { gate: two } }, [one, two]],
    ["of a call", { kind: "call", gate: one }, [one]],
    ["of a movement", { kind: "transfer", from: one, to: two }, [one, two]],
    ["of a movement from anybody", { kind: "transfer", from: any, to: two }, [two]],
    ["of any call", { kind: "call", gate: any }, []],
    ["of an authorization", { kind: "authorization" }, []],
    ["of a flow", { kind: "none" }, []],
  ])("%s", (_what, anchor, gates) => {
    expect(protectingGates(anchor as never)).toEqual(gates);
  });
});

describe("copies of a case", () => {
  const file = caseFileOf(hashOf(1));
  const original = {
    ...file,
    transaction: { ...file.transaction, to: a, input: `0x12345678${b.slice(2).padStart(64, "0")}` },
  };
  const rule = (status: string, ...addresses: string[]) => ({
    status,
    anchor: { kind: "call", gate: set(...addresses) },
  });
  const targets = (forms: object[], status = "0x1") =>
    untrustedCopies({ ...original, receipt: { ...original.receipt, status } }, forms as never, shippedLabels()).map(
      ({ transaction }) => [transaction.to, transaction.input.slice(34)],
    );

  it("have an untrusted contract in the place of each that a gate admits", () => {
    const [first, second] = [untrustedAt(0), untrustedAt(1)];
    expect(targets([rule("success", a)])).toEqual([[first, b.slice(2)]]);
    expect(targets([rule("success", a, b)])).toEqual([[first, second.slice(2)]]);
    const either = { kind: "either", gates: [set(a), set(b)] };
    expect(targets([{ status: "success", anchor: { kind: "call", gate: either } }])).toEqual([
      [first, second.slice(2)],
    ]);
    expect(targets([{ status: "success", anchor: { kind: "transfer", from: set(b), to: set(a) } }])).toEqual([
      [a, first.slice(2)],
      [first, b.slice(2)],
    ]);
  });

  it("are of the form that fits what became of the case, and none where nothing is known", () => {
    const forms = [rule("reverted", b), rule("success", a)];
    const first = untrustedAt(0);
    expect([targets(forms), targets(forms, "0x0")]).toEqual([[[first, b.slice(2)]], [[a, first.slice(2)]]]);
    expect([targets(forms.slice(1), "0x0"), targets(forms.slice(0, 1)), targets([])]).toEqual([[], [], []]);
    expect(targets([rule("success")])).toEqual([]);
  });
});
