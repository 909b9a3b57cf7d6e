import { describe, expect, it } from "vitest";
import { resolve } from "./resolved-text.ts";

describe("a file that takes others' rules over", () => {
  const base = `protocol: base
name: Base
kind: protocol
source: a book
contracts: { pool: { "0x1": Pool } }
members: { made: { registry: { contract: pool, read: isPool } } }
abi: { isPool: i, lock: l }
steps: { t: { of: { "0x01": lock } } }
unwrap:
  - { id: u, call: lock, inner: { to: args.x, data: b } }
  - { id: v, call: lock, inner: { to: args.x, data: b } }
subjects:
  - { event: Locked, at: pool, subject: who }
fees:
  - { event: Locked, at: [pool, made], from: who, to: whom }
rules:
  - { id: a, action: stake, at: pool, does: x, example: { tx: "0x12" } }
  - { id: b, action: stake, at: pool, does: y, example: { to: pool, says: "on {protocol}" } }
  - { id: c, action: stake, at: made, does: z, example: { to: pool, says: "of Base" } }
examples:
  - { name: kept, given: { to: pool }, rule: b, summary: of Base }
  - { name: hidden, given: { to: pool }, rule: b, not: a }
  - { name: recorded, tx: "0x12", rule: b }
  - { name: amended, given: { to: pool }, rule: a }
  - { name: taken, given: { to: pool }, rule: c }
  - { given: { to: pool }, rule: c }
`;
  const copy = (rest: string) => `protocol: copy
name: Copy
kind: protocol
like: base
source: a book
contracts: { pool: { "0x9": Mine } }
${rest}`;

  it("has them in their order, amended, replaced and joined by its own", () => {
    const { document, found, at, from } = resolve(
      copy(`abi: { lock: mine, more: m }
unwrap: [{ id: w, call: lock }]
subjects: [{ event: Own, at: pool, subject: me }]
rules:
  - { id: new, action: claim, does: n }
  - { id: a, does: amended }
  - { id: c, action: claim, does: replaced, example: { to: pool } }
examples:
  - { name: taken, given: { to: own } }
`),
      { base },
    );
    expect(found).toEqual([]);
    const held = { to: "args.x", data: "b" };
    expect(document).toEqual({
      ...{ protocol: "copy", name: "Copy", kind: "protocol" },
      members: { made: { registry: { contract: "pool", read: "isPool" } } },
      abi: { isPool: "i", lock: "mine", more: "m" },
      steps: { t: { of: { "0x01": "lock" } } },
      unwrap: [
        { id: "u", call: "lock", inner: held },
        { id: "v", call: "lock", inner: held },
        { id: "w", call: "lock" },
      ],
      subjects: [
        { event: "Locked", at: "pool", subject: "who" },
        { event: "Own", at: "pool", subject: "me" },
      ],
      fees: [{ event: "Locked", at: ["pool", "made"], from: "who", to: "whom" }],
      rules: [
        { id: "a", action: "stake", at: "pool", does: "amended" },
        { id: "b", action: "stake", at: "pool", does: "y" },
        { id: "c", action: "claim", does: "replaced" },
        { id: "new", action: "claim", does: "n" },
      ],
      contracts: { pool: [{ address: "0x9", source: ["a book"], label: "Mine" }] },
      examples: [
        { name: "b", given: { to: "pool" }, rule: "b", action: "stake", summary: "on Copy" },
        { name: "c", given: { to: "pool" }, rule: "c", action: "claim" },
        { name: "taken", given: { to: "own" } },
        { name: "kept", given: { to: "pool" }, rule: "b" },
      ],
    });
    const like = "4:7-4:11";
    expect([at("rules", 0, "at"), from("rules", 0, "at"), at("rules", 0, "does"), from("rules", 0, "does")]).toEqual([
      ...[like, "base.yaml:17:33", "12:20-12:27", undefined],
    ]);
    expect([at("rules", 1, "does"), from("rules", 1, "does"), at("rules", 2, "does"), at("rules", 3, "does")]).toEqual([
      ...[like, "base.yaml:18:45", "13:35-13:43", "11:37-11:38"],
    ]);
    expect([at("abi", "isPool"), from("abi", "isPool"), at("abi", "lock"), at("abi", "more")]).toEqual([
      ...[like, "base.yaml:7:16", "7:14-7:18", "7:26-7:27"],
    ]);
    expect([at("unwrap", 1), from("unwrap", 1, "id"), at("unwrap", 2, "id"), at("subjects", 1, "event")]).toEqual([
      ...[like, "base.yaml:11:11", "8:16-8:17", "9:21-9:24"],
    ]);
    expect([at("examples", 0), from("examples", 0), at("examples", 1), at("examples", 2), at("examples", 3)]).toEqual([
      ...[like, "base.yaml:18:57", "13:54-13:66", "15:5-15:40", like],
    ]);
    expect([from("examples", 0, "summary"), from("examples", 3)]).toEqual(["base.yaml:18:75", "base.yaml:21:5"]);
    expect(from("members", "made")).toBe("base.yaml:6:18");
  });

  it("leaves out what it says, and what stands only there", () => {
    const { document, found } = resolve(copy("without: [made, u, a]\n"), { base });
    expect(found).toEqual([]);
    expect(document.members).toEqual({});
    expect(document.unwrap?.map(({ id }) => id)).toEqual(["v"]);
    expect(document.fees).toEqual([{ event: "Locked", at: ["pool"], from: "who", to: "whom" }]);
    expect(document.rules?.map(({ id }) => id)).toEqual(["b"]);
    expect(document.examples?.map(({ name }) => name)).toEqual(["b", "kept"]);
  });

  it("has the sentence of an example only where it names the protocol by its place", () => {
    const { document } = resolve(copy(""), { base });
    expect(document.examples).toEqual([
      { name: "b", given: { to: "pool" }, rule: "b", action: "stake", summary: "on Copy" },
      { name: "c", given: { to: "pool" }, rule: "c", action: "stake" },
      { name: "kept", given: { to: "pool" }, rule: "b" },
      { name: "amended", given: { to: "pool" }, rule: "a" },
      { name: "taken", given: { to: "pool" }, rule: "c" },
      { given: { to: "pool" }, rule: "c" },
    ]);
  });

  it("says all roles that are missing", () => {
    const { document, found } = resolve(copy("").replace("pool:", "desk:"), { base });
    const needs = (what: string) =>
      `RL212 4:7-4:11: ${what} needs \`pool\`, which is neither here nor left out by \`without\``;
    expect(found).toEqual(
      [...["the rule `a`", "the rule `b`", "the member `made`", "an entry of `subjects`", "an entry of `fees`"]].map(
        needs,
      ),
    );
    expect([document.rules?.map(({ id }) => id), document.members, document.subjects, document.fees]).toEqual([
      ...[["c"], {}, undefined, undefined],
    ]);
  });

  it("may be like a template, whose roles are what its rules name", () => {
    const template = `protocol: base
kind: template
abi: { lock: l }
fees: [{ event: E, at: desk, from: a, to: b }]
grants: [{ event: E, at: bank, owner: a, token: b, spender: c }]
failures: [{ event: E, at: till, account: a, what: b }]
subjects: [{ event: E, at: shop, subject: a }]
signers: [{ event: E, at: mill, signer: a }]
accounts: [{ at: farm }]
unwrap: [{ id: u, call: lock, at: barn }]
members: { made: { registry: { contract: yard, read: isPool } } }
rules: [{ id: a, action: stake, at: pool, does: x }]
`;
    const { document, found } = resolve(copy("without: [desk, bank, till, shop, mill, farm, barn, yard, made]\n"), {
      base: template,
    });
    expect(found).toEqual([]);
    const { rules, members, fees, grants, failures, subjects, signers, accounts, unwrap } = document;
    expect({
      rules: rules?.map(({ id }) => id),
      members,
      fees,
      grants,
      failures,
      subjects,
      signers,
      accounts,
      unwrap,
    }).toEqual({
      ...{ rules: ["a"], members: {}, fees: undefined, grants: undefined, failures: undefined, subjects: undefined },
      ...{ signers: undefined, accounts: undefined, unwrap: undefined },
    });
    expect(resolve(copy("without: [nothing]\n"), { base: template }).found).toContain(
      "RL211 7:11-7:18: `nothing` is no rule, role or member of `base`",
    );
  });

  it.each<[string, string[]]>([
    ["without: [pool]\n", ["RL211 7:11-7:15: `pool` is left out and said here as well"]],
    [
      "without: [a]\nrules:\n  - { id: z, action: claim, does: x }\n  - { id: a, does: mine }\n",
      ["RL211 7:11-7:12: `a` is left out and said here as well"],
    ],
    ["without: [poool]\n", ["RL211 7:11-7:16 pool: `poool` is no rule, role or member of `base`"]],
    ["without: [maid]\n", ["RL211 7:11-7:15 made: `maid` is no rule, role or member of `base`"]],
    ["without: [uu]\n", ["RL211 7:11-7:13 u: `uu` is no rule, role or member of `base`"]],
    [
      "rules: [{ id: x, does: mine }, { id: y, does: mine }]\n",
      ["RL211 7:15-7:16: `x` amends no rule of `base`", "RL211 7:38-7:39: `y` amends no rule of `base`"],
    ],
  ])("is refused where it says %j", (rest, expected) => {
    expect(resolve(copy(rest), { base }).found).toEqual(expected);
  });
});
