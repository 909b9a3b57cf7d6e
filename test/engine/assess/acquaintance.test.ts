import { describe, expect, it } from "vitest";
import type { Examined } from "../../../src/engine/assess/examined/examine.ts";
import { acquaintance, judgeFirstContact } from "../../../src/engine/assess/first-contact.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { checksum, toAddress } from "../../../src/kernel/address.ts";
import type { HistoryLookup } from "../../../src/model/risk-lookups.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { alice, bob, carol, token } from "../../support/case-of.ts";

function history(parts: Partial<HistoryLookup>): HistoryLookup {
  const whole = { complete: true, through_code: false, counterparties: [], unordered: [] };
  return { status: "found", source: "explorer", time: "2026-01-02T03:04:05.000Z", ...whole, ...parts };
}

/** The history of alice. Of all other accounts nothing is known unless the test says so. */
function actOf(own: Partial<HistoryLookup> | null, more: Record<string, HistoryLookup> = {}): SubjectAct {
  const known = own === null ? more : { [alice]: history(own), ...more };
  return { subject: alice, file: { risk: { history: known } } } as unknown as SubjectAct;
}

const one = (parts: Partial<Examined> = {}): Examined => ({
  ...{ address: bob, roles: ["recipient"], selector: null, account: alice, dealt: true },
  ...parts,
});

describe("whether an account dealt with somebody before", () => {
  it.each<[string, string, Examined, SubjectAct]>([
    ["no", "new", one(), actOf({})],
    ["yes", "known", one(), actOf({ counterparties: [carol, bob] })],
    ["not with him", "new", one(), actOf({ counterparties: [carol] })],
    ["yes, by a part of its history", "known", one(), actOf({ complete: false, counterparties: [bob] })],
    ["not by a part of its history", "undecidable", one(), actOf({ complete: false })],
    ["in this block", "undecidable", one(), actOf({ unordered: [bob] })],
    ["with somebody else in this block", "new", one(), actOf({ unordered: [carol] })],
    ["nobody answered", "failed", one(), actOf({ status: "unavailable", counterparties: [bob] })],
    ["nobody was asked of the subject", "unasked", one(), actOf(null)],
    ["nobody was asked of another", "undecidable", one({ account: carol }), actOf({ counterparties: [bob] })],
    ["of another", "known", one({ account: carol }), actOf({}, { [carol]: history({ counterparties: [bob] }) })],
    ["no lookups at all", "unasked", one(), { subject: alice, file: {} } as unknown as SubjectAct],
    [
      "a spender, with an account that has code",
      "undecidable",
      one({ roles: ["spender"] }),
      actOf({ through_code: true }),
    ],
    [
      "an operator, with such an account",
      "undecidable",
      one({ roles: ["called", "operator"] }),
      actOf({ through_code: true }),
    ],
    ["a receiver, with such an account", "new", one(), actOf({ through_code: true })],
    ["a spender, with a plain account", "new", one({ roles: ["spender"] }), actOf({})],
  ])("%s: %s", (_what, expected, who, act) => expect(acquaintance(who, act)).toBe(expected));
});

describe("a first contact", () => {
  const met = { account: alice, party: state("role.recipient", { address: bob }) };
  const evidence = [`lookup history ${checksum(alice)}`];
  const plain = {
    ...{ flag: "first_time_counterparty", statement: state("flag.first_contact", met), address: bob },
    ...{ role: "recipient", basis: "history", evidence },
  };

  it("is told for each account that is new, and for no other", () => {
    const act = actOf({ counterparties: [carol] });
    expect(judgeFirstContact([one(), one({ address: carol })], act)).toEqual([plain]);
    expect(judgeFirstContact([], act)).toEqual([]);
    expect(judgeFirstContact([one()], actOf({ complete: false }))).toEqual([]);
  });

  it("is told by the first role that counts", () => {
    const found = judgeFirstContact([one({ roles: ["token", "spender", "called"] })], actOf({}));
    const party = state("role.spender", { address: bob });
    expect(found).toEqual([{ ...plain, role: "spender", statement: state("flag.first_contact", { ...met, party }) }]);
    const [other] = judgeFirstContact([one({ roles: ["token", "delegate"] })], actOf({}));
    expect(other?.role).toBe("token");
  });

  it("is told with the twin that its account knows", () => {
    const address = toAddress(`0x1234${"a".repeat(31)}56789`);
    const twin = toAddress(`0x1234${"c".repeat(31)}56789`);
    const carols = history({ counterparties: [token, twin] });
    const act = actOf({}, { [carol]: carols });
    const party = state("role.recipient", { address });
    expect(judgeFirstContact([one({ address, account: carol })], act)).toEqual([
      {
        ...plain,
        address,
        statement: state("flag.first_contact_twin", { account: carol, party, prefix: 4, suffix: 5, known: twin }),
        basis: "lookalike_of_known",
        evidence: [`lookup history ${checksum(carol)}`],
      },
    ]);
  });
});
