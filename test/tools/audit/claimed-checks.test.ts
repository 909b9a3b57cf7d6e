import { describe, expect, it } from "vitest";
import { checksum, deadAddress } from "../../../src/kernel/address.ts";
import type { CheckStatus } from "../../../src/model/explanation.ts";
import type { Right } from "../../../src/tools/audit/facts/rights.ts";
import { auditExamination } from "../../../src/tools/audit/laws/examination.ts";
import { isClaim } from "../../../src/tools/audit/scene.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { atAcme, type Looked, right, sentences, the } from "./looked-scene.ts";
import { acme, dora, moveOf, type SceneParts, sceneOf, stepsOf } from "./made-scene.ts";

describe("what a check claims", () => {
  const missed = `${the("called contract", vault)} was not looked for in the drainer lists, which is told as done.`;
  const unread = `${the("called contract", vault)} runs code that was not examined, and the check of code is told as done.`;

  it.each<[CheckStatus, boolean]>([
    ["ok", true],
    ["not_applicable", true],
    ["partial", false],
    ["inconclusive", false],
  ])("is all by %s: %s", (status, claims) => {
    expect(isClaim(status)).toBe(claims);
    expect(sentences({}, { checks: { drainer_blacklist: status } })).toEqual(claims ? [missed] : []);
    expect(sentences({}, { checks: { drainer_blacklist: status }, asked: [vault] })).toEqual([]);
    const steps = stepsOf({ from: vault, to: bob });
    expect(sentences({ steps }, { checks: { contract_verification: status } })).toEqual(claims ? [unread] : []);
  });

  it("of code is about addresses at which code ran", () => {
    const read = (parts: SceneParts) => sentences(parts, { checks: { contract_verification: "ok" } });
    const other = { from: bob, to: carol };
    expect(read({ steps: stepsOf(other) })).toEqual([]);
    expect(read({ steps: stepsOf(other, { from: vault, to: bob }) })).toEqual([unread]);
    expect(read({ steps: stepsOf({ from: alice, to: vault }) })).toEqual([]);
    expect(read({ steps: stepsOf(other, { from: carol, to: vault, type: "DELEGATECALL" }) })).toEqual([unread]);
    expect(read({ steps: stepsOf({ from: carol, to: bob, type: "DELEGATECALL" }) })).toEqual([]);
    const logs = [bob, vault].map((address, index) => ({ index, address, topics: [], data: "0x" }));
    expect(read({ facts: { logs } })).toEqual([unread]);
    expect(read({ facts: { logs: logs.slice(0, 1) } })).toEqual([]);
  });

  it("is followed by the flags for its findings", () => {
    const absent = { [vault]: { status: "absent", code: "contract" } };
    const source = `${the("called contract", vault)} has no published source, and no flag tells it.`;
    expect(sentences({}, { verification: absent })).toEqual([source]);
    expect(sentences({}, { verification: absent, flags: [["known_drainer", vault]] })).toEqual([source]);
    expect(sentences({}, { verification: absent, flags: [["unverified_contract", vault]] })).toEqual([]);
    expect(sentences({}, { verification: { [vault]: { status: "absent", code: "none" } } })).toEqual([]);
    expect(sentences({}, { verification: { [vault]: { status: "found", code: "contract" } } })).toEqual([]);
    expect(sentences({}, { verification: { [bob]: { status: "absent", code: "contract" } } })).toEqual([]);
    const listed = `${the("called contract", vault)} is on a list of drainers, and no flag tells it.`;
    expect(sentences({}, { hits: [bob, vault] })).toEqual([listed]);
    expect(sentences({}, { hits: [bob] })).toEqual([]);
    expect(sentences({}, { hits: [vault], flags: [["known_drainer", vault]] })).toEqual([]);
  });

  it("says nothing without lookups", () => {
    const checks = { contract_verification: "ok", first_interaction: "ok", drainer_blacklist: "ok" } as const;
    const answer = { checks: { ...checks, unchecked_addresses: [], note: null } };
    expect(auditExamination(sceneOf({ answer }))).toEqual([]);
  });
});

describe("accounts that the sender dealt with before", () => {
  const found = { status: "found", complete: true, through_code: false, counterparties: [], unordered: [] };
  const news = (parts: SceneParts, history: object = {}, looked: Looked = {}) =>
    sentences(
      { facts: atAcme, ...parts },
      { history: { [alice]: { ...found, ...history } }, checks: { first_interaction: "ok" }, ...looked },
    );
  const gift = { moves: [moveOf(usdc, alice, bob, 5n)] };
  const isNew = (role: string) => [
    `${the(role, bob)} is none that the sender dealt with before, and no flag tells it.`,
  ];

  it("are taken from the whole history if the check says ok", () => {
    expect(news(gift)).toEqual(isNew("receiver"));
    expect(news(gift, { counterparties: [carol, bob] })).toEqual([]);
    expect(news(gift, { unordered: [bob, carol] })).toEqual([]);
    expect(news(gift, { complete: false })).toEqual([]);
    expect(news(gift, { through_code: true })).toEqual([]);
    expect(news(gift, { status: "inconclusive" })).toEqual([]);
    expect(news(gift, {}, { checks: { first_interaction: "not_applicable" } })).toEqual([]);
    expect(news(gift, {}, { flags: [["first_time_counterparty", bob]] })).toEqual([]);
    expect(news(gift, {}, { history: {} })).toEqual([]);
  });

  it("are needed for receivers of what the sender itself gave, if it has a worth", () => {
    const rights = (...given: Right[]) => ({ scene: { rights: given } });
    expect(news(rights(right(alice, bob)))).toEqual(isNew("spender"));
    expect(news(rights(right(alice, bob, token)))).toEqual([]);
    expect(news(rights(right(dora, bob)))).toEqual([]);
    expect(news({ moves: [moveOf(token, alice, bob, 5n)] })).toEqual([]);
    expect(news({ moves: [moveOf(null, alice, bob, 5n)] })).toEqual(isNew("receiver"));
    const others = {
      principals: [
        [alice, "sender"],
        [dora, "allowance"],
      ] as never,
    };
    expect(news({ ...others, moves: [moveOf(usdc, dora, bob, 5n)] })).toEqual([]);
    expect(news({ facts: { called: vault } })).toEqual([]);
    expect(news({ scene: { controls: [{ of: alice, what: "x", party: bob, number: undefined }] } })).toEqual([]);
  });
});

describe("ether that may have gone on inside of calls", () => {
  const unseen = `${checksum(bob)} may have passed on ether unseen and the drainer lists are told as asked.`;
  const contract = { [bob]: { status: "found", code: "contract" } };
  const paid = (parts: SceneParts = {}, looked: Looked = {}) =>
    sentences(
      { ...parts, facts: { etherKnown: false, called: acme, ...parts.facts } },
      { asked: [bob], verification: contract, checks: { drainer_blacklist: "ok" }, ...looked },
    ).filter((text) => text.includes("unseen"));
  const moves = [moveOf(null, alice, bob, 5n)];

  it("is reported for a stranger's contract that a principal paid", () => {
    expect(paid({ moves: [moveOf(null, alice, dora, 1n), ...moves] })).toEqual([unseen]);
    expect(paid({ moves }, { checks: {} })).toEqual([]);
    expect(paid({ moves, facts: { etherKnown: true } })).toEqual([]);
    expect(paid({ moves: [moveOf(usdc, alice, bob, 5n)] })).toEqual([]);
    expect(paid({ moves: [moveOf(null, dora, bob, 5n)] })).toEqual([]);
    expect(
      paid({
        moves,
        principals: [
          [alice, "sender"],
          [bob, "safe"],
        ],
      }),
    ).toEqual([]);
    expect(paid({ moves }, { verification: { [bob]: { status: "found", code: "none" } } })).toEqual([]);
    expect(paid({ moves }, { verification: {} })).toEqual([]);
    const burnt = { [deadAddress]: { status: "found", code: "contract" } };
    expect(paid({ moves: [moveOf(null, alice, deadAddress, 5n)] }, { verification: burnt })).toEqual([]);
    const own = { [acme]: { status: "found", code: "contract" } };
    expect(paid({ moves: [moveOf(null, alice, acme, 5n)] }, { verification: own })).toEqual([]);
  });
});
