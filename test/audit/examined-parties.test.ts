import { describe, expect, it } from "vitest";
import type { Right } from "../../src/audit/facts/rights.ts";
import { auditExamination } from "../../src/audit/laws/examination.ts";
import { isClaim } from "../../src/audit/scene.ts";
import { type Address, checksum, deadAddress, toAddress, zeroAddress } from "../../src/kernel/address.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { CheckStatus, Checks, Explanation } from "../../src/model/explanation.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../support/case-of.ts";
import { acme, dora, erik, fred, moveOf, type SceneParts, sceneOf, stepsOf } from "./made-scene.ts";

interface Looked {
  asked?: Address[];
  hits?: Address[];
  verification?: Record<string, { status: string; code: string | null }>;
  history?: Record<string, unknown>;
  checks?: Partial<Record<keyof Checks, CheckStatus>>;
  flags?: [string, Address][];
}

/** Sentences about a scene whose lookups and checks are as given; no check says `ok` but those that are given. */
function sentences(parts: SceneParts, looked: Looked = {}): string[] {
  const { asked = [], hits = [], verification = {}, history = {}, checks = {}, flags = [] } = looked;
  const drainers = { asked, hits: hits.map((address) => ({ address, list: "test" })) };
  const risk = { verification, history, drainers } as unknown as CaseFile["risk"];
  const open = { contract_verification: "partial", first_interaction: "partial", drainer_blacklist: "partial" };
  const answer = {
    checks: { ...open, unchecked_addresses: [], note: null, ...checks },
    risk_flags: flags.map(([flag, address]) => ({ flag, detail: `See ${checksum(address)}.` })),
  } as unknown as Partial<Explanation>;
  return auditExamination(sceneOf({ ...parts, file: { ...parts.file, risk: risk as never }, answer })).map(
    ({ law, sentence }) => {
      expect(law).toBe(8);
      return sentence;
    },
  );
}

/** Who must be examined, with the role: nobody was looked for in the lists, and the check says `ok`. */
function strangers(parts: SceneParts): string[] {
  const rest = " was not looked for in the drainer lists, which is told as done.";
  return sentences(parts, { checks: { drainer_blacklist: "ok" } }).map((text) => {
    expect(text).toContain(rest);
    return text.replace(rest, "");
  });
}

const the = (role: string, address: Address) => `The ${role} ${checksum(address)}`;
const right = (owner: Address, spender: Address, of: Address = usdc): Right => {
  return { owner, spender, token: of, left: 1n, log: 0, certain: true };
};
/** A call of a contract that is known, of which nothing is asked. */
const atAcme = { called: acme };

describe("who must be examined", () => {
  it("is the called contract, unless it is known or the transaction failed or makes a contract", () => {
    expect(strangers({})).toEqual([the("called contract", vault)]);
    expect(strangers({ facts: { succeeded: false } })).toEqual([]);
    expect(strangers({ facts: { called: null } })).toEqual([]);
    expect(strangers({ facts: { called: alice } })).toEqual([]);
    expect(strangers({ facts: atAcme })).toEqual([]);
  });

  it.each<[string, Address]>([
    ["a predeploy", weth],
    ["a precompile", toAddress(`0x${"0".repeat(39)}4`)],
    ["nobody", zeroAddress],
    ["a burn address", deadAddress],
  ])("is not %s", (_, called) => expect(strangers({ facts: { called } })).toEqual([]));

  it("is whoever got a right, a delegation, control, code or money, each once by the first of its roles", () => {
    const list = [bob, zeroAddress].map((address) => ({ chainId: "0x0", address, nonce: "0x1" }));
    const loss = moveOf(usdc, alice, fred, 200n);
    const parts: SceneParts = {
      facts: atAcme,
      moves: [loss],
      steps: stepsOf({ input: "0x01" }, { parent: 0, type: "DELEGATECALL", from: alice, to: erik, input: "0x02" }),
      scene: {
        rights: [right(alice, carol)],
        controls: [carol, dora, undefined].map((party) => ({ of: alice, what: "x", party, number: undefined })),
      },
    };
    const scene = sceneOf(parts);
    const file = { transaction: { ...scene.facts.file.transaction, authorizationList: list as never } };
    expect(strangers({ ...parts, file })).toEqual([
      the("spender", carol),
      the("delegate", bob),
      the("new controller", dora),
      the("code that ran for the account", erik),
      the("receiver", fred),
    ]);
  });

  it("is code that ran for an account of a principal, other than what stands behind it as a proxy", () => {
    const ran = (...steps: Parameters<typeof stepsOf>) => strangers({ facts: atAcme, steps: stepsOf(...steps) });
    const call = { from: carol, to: alice, input: "0x01" };
    const inner = { parent: 0, type: "DELEGATECALL", from: alice, to: bob, input: "0x02" };
    expect(ran(call, inner)).toEqual([the("code that ran for the account", bob)]);
    expect(ran(call, { ...inner, input: "0x01" })).toEqual([]);
    expect(ran(call, { ...inner, type: "CALL" })).toEqual([]);
    expect(ran(call, { ...inner, from: carol })).toEqual([]);
    expect(ran({ ...inner, parent: -1 })).toEqual([the("code that ran for the account", bob)]);
  });

  it("is a receiver of more than a hundredth who gave nothing of worth for it", () => {
    const got = (amount: bigint, ...more: ReturnType<typeof moveOf>[]) =>
      strangers({ facts: atAcme, moves: [moveOf(usdc, alice, bob, amount), ...more] });
    const fee = (amount: bigint) => [moveOf(usdc, alice, carol, amount)];
    expect(got(99n, ...fee(1n))).toEqual([the("receiver", bob)]);
    expect(got(98n, ...fee(2n))).toEqual([the("receiver", bob), the("receiver", carol)]);
    expect(got(198n, ...fee(2n))).toEqual([the("receiver", bob)]);
    expect(got(197n, ...fee(2n))).toEqual([the("receiver", bob), the("receiver", carol)]);
    expect(got(9n, moveOf(null, bob, acme, 1n))).toEqual([]);
    expect(got(9n, moveOf(token, bob, acme, 1n))).toEqual([the("receiver", bob)]);
  });

  it("is who got the other side of an exchange of which the principal got nothing", () => {
    const given = moveOf(usdc, alice, acme, 5n);
    const onward = (...moves: ReturnType<typeof moveOf>[]) => strangers({ facts: atAcme, moves: [given, ...moves] });
    expect(onward(moveOf(null, acme, bob, 3n))).toEqual([the("receiver of the proceeds", bob)]);
    expect(onward(moveOf(null, acme, bob, 3n), moveOf(null, bob, carol, 3n))).toEqual([
      the("receiver of the proceeds", carol),
    ]);
    // Of no worth, from somebody else, beside a gain of the principal's own, or of the same asset.
    expect(onward(moveOf(token, acme, bob, 3n))).toEqual([]);
    expect(onward(moveOf(null, dora, bob, 3n))).toEqual([]);
    expect(onward(moveOf(null, acme, bob, 3n), moveOf(token, acme, alice, 1n))).toEqual([]);
    expect(onward(moveOf(null, alice, bob, 3n))).toEqual([the("receiver", bob)]);
    // What the principal gave of it himself was judged as his loss.
    expect(onward(moveOf(null, alice, acme, 3n), moveOf(null, acme, bob, 3n))).toEqual([]);
    // The least of it is enough, and each side is asked once.
    expect(onward(moveOf(null, acme, bob, 1n))).toEqual([the("receiver of the proceeds", bob)]);
    expect(onward(moveOf(null, acme, bob, 3n), moveOf(null, acme, carol, 2n), moveOf(null, acme, bob, 1n))).toEqual([
      the("receiver of the proceeds", bob),
      the("receiver of the proceeds", carol),
    ]);
  });

  it("is not the giver himself, who is no market of what he lost", () => {
    const moves = [moveOf(usdc, alice, acme, 5n), moveOf(null, alice, bob, 3n), moveOf(null, bob, alice, 3n)];
    expect(strangers({ facts: atAcme, moves })).toEqual([]);
    const passed = [moveOf(usdc, alice, acme, 5n), moveOf(null, dora, alice, 3n), moveOf(null, alice, bob, 3n)];
    expect(strangers({ facts: atAcme, moves: passed })).toEqual([]);
  });

  it("is not a called account that gave only its own, to which the sender gave nothing", () => {
    const own = [moveOf(token, vault, acme, 5n)];
    expect(strangers({ moves: own })).toEqual([]);
    const called = [the("called contract", vault)];
    expect(strangers({ moves: [...own, moveOf(null, acme, vault, 1n)] })).toEqual(called);
    expect(strangers({ moves: [...own, moveOf(usdc, alice, acme, 1n)] })).toEqual(called);
    expect(strangers({ moves: own, scene: { rights: [right(alice, acme)] } })).toEqual(called);
    const control = { of: alice, what: "x", party: undefined, number: undefined };
    expect(strangers({ moves: own, scene: { controls: [control] } })).toEqual(called);
    expect(strangers({ moves: [moveOf(token, dora, acme, 5n)] })).toEqual(called);
    // What another principal lost is not the sender's.
    const others = {
      principals: [
        [alice, "sender"],
        [dora, "allowance"],
      ] as never,
    };
    expect(strangers({ ...others, moves: [...own, moveOf(usdc, dora, acme, 1n)] })).toEqual([]);
    // One of two moves comes from it.
    expect(strangers({ moves: [...own, moveOf(token, dora, erik, 5n)] })).toEqual([]);
  });
});

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

  it("is followed by the flags of what was found", () => {
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

describe("whom the sender dealt with before", () => {
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

  it("is asked of a whole history, where the check says ok", () => {
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

  it("is asked for what the sender himself gave of worth", () => {
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

  it("is told of a stranger's contract that a principal paid", () => {
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
