import { describe, expect, it } from "vitest";
import { lintTexts, markedText, placeOf } from "./lint-text.ts";

const head = `protocol: market
name: Market
kind: protocol
site: https://example.org
contracts:
  pool:
    source: ex/book@0123456:A.md
    "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Market pool
    "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E": Market pool
  factory:
    source: ex/book@0123456:A.md
    "0x420DD381b31aEf6683db6B902084cB0FFECe40Da": Market factory
members:
  listed: { registry: { contract: factory, read: isPool } }
  own: { registry: { contract: factory, read: poolOf, expect: self } }
  derived: { create2: { deployer: factory, init_code_hash: "0x${"12".repeat(32)}", reads: [token0, fee], encoding: packed } }
  fresh: { created: { contract: factory, event: Created, argument: pool } }
abi_source: ex/contracts@0123456:Pool.sol
abi:
  isPool: "function isPool(address pool) view returns (bool)"
  poolOf: "function poolOf(address pool) view returns (address)"
  token0: "function token0() view returns (address)"
  fee: "function fee() view returns (uint24)"
  Created: "event Created(address indexed owner, address pool)"
  Paid: "event Paid(address indexed user, uint256 amount, string indexed topic, bytes path)"
  pay: "function pay(address user, uint256 amount, uint256[] parts, (bytes32 key, bool last) extra)"
  run: "function run(bytes data)"
rules:
`;

const paid = `  - id: paid
    action: payment
    event: Paid
    at: [pool, listed, own, derived, fresh]
    who: args.user
    does: "pay through {protocol}"
    attempts: pay
`;

const negative = `  - name: nothing
    given: {}
    not: paid
`;

function run(examples: string, rules = paid) {
  const text = `${head}${rules}examples:\n${examples}${negative}`;
  return { text, found: lintTexts({ market: text }).filter((one) => !/^RL(?:506|601|611|70\d)$/.test(one.code)) };
}

/** Examples that must come out as they say. */
function expectFine(examples: string, rules?: string): void {
  expect(run(examples, rules).found.map((one) => `${placeOf(one)} ${one.message}`)).toEqual([]);
}

describe("members are proven", () => {
  it.each(["pool", "pool.1", "listed", "listed.1", "own", "derived", "derived.3", "fresh"])("%s", (name) => {
    expectFine(`  - name: here
    given: { to: ${name}, logs: [{ Paid: { at: ${name}, user: alice } }] }
    rule: paid
  - name: not elsewhere
    like: here
    untrusted: [${name.split(".")[0]}]
    not: paid
`);
  });

  it("but an address of no role is not", () => {
    const { found } = run(`  - name: here
    given: { to: bob, logs: [{ Paid: { at: bob, user: alice } }] }
    rule: paid
`);
    expect(found.map((one) => one.message)).toEqual([
      "the rule `paid` was expected to stand; no rule stands, and it did not match",
    ]);
  });
});

describe("a given case", () => {
  const captured = `  - id: paid
    action: payment
    call: pay
    at: pool
    where: { var: args.extra.last }
    capture:
      amount: { amount: args.amount, of: native }
      part: { integer: args.parts.-1 }
    does: "pay {amount} in parts, the last {part}"
`;

  it("encodes arguments of every shape", () => {
    expectFine(
      `  - name: a call
    given:
      to: pool
      gas_used: "50000"
      call: { pay: { amount: "1500000000000000000", parts: ["1", 2, "0x10"], extra: { key: bob, last: true } } }
    rule: paid
    action: payment
    summary: "0xA11C…11Ce paid 1.5 ETH in parts, the last 16."
  - name: left out is zero
    given: { to: pool, call: { pay: { amount: max } } }
    not: paid
`,
      captured,
    );
  });

  it("moves tokens, nfts and ether", () => {
    expectFine(
      `  - name: everything
    given:
      from: carol
      to: pool
      call: { run: { data: { pay: { user: bob } } } }
      native: [{ from: pool, to: carol, amount: "2000000000000000000" }]
      tokens: { stranger: { symbol: FOO, decimals: 1 } }
      logs:
        - transfer: { token: stranger, from: carol, to: pool, amount: "15" }
        - transfer: { nft: bob, from: carol, to: pool, id: "7" }
        - transfer: { nft: bob, from: carol, to: pool, id: "9", amount: "3" }
    rule: paid
    summary: "0xCA40…a401 gave 1.5 \\"FOO\\" (0x57a4…a46E), NFT #7 of 0xb0B0…0B0B and 3 × NFT #9 of 0xb0B0…0B0B for 2 ETH."
`,
      `  - id: paid
    action: payment
    call: any
    at: pool
    flow: { gives: several, gets: one native }
    does: "give {gives} for {gets}"
`,
    );
  });

  it("hashes indexed texts and joins bytes of names", () => {
    expectFine(
      `  - name: an event
    given:
      to: pool
      logs: [{ Paid: { at: pool, user: alice, topic: hello, path: [USDC, "0x0001f4", bob] } }]
    rule: paid
    summary: "0xA11C…11Ce paid along USDC to 0xb0B0…0B0B."
`,
      `  - id: paid
    action: payment
    event: Paid
    at: pool
    who: args.user
    where:
      "==": [{ var: args.topic }, "0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8"]
    capture:
      first: { token: args.path.addressAt.0 }
      last: { address: args.path.addressAt.-20 }
    does: "pay along {first} to {last}"
`,
    );
  });

  it("fails, creates, delegates and arrives", () => {
    expectFine(
      `  - name: an attempt
    given: { to: pool, status: reverted, call: { pay: { user: bob } } }
    rule: paid
    action: payment
  - name: a creation
    given: { to: null, data: "0x6000" }
    rule: creates
  - name: a deposit
    given: { to: bob, type: deposit, mint: "7", data: "0x12345678" }
    rule: arrives
  - name: a delegation
    given: { to: alice, authorizations: [{ delegate: pool, nonce: 3 }] }
    rule: delegates
  - name: other
    given: {  to: pool }
    not: creates
  - name: others
    given: { to: pool.1 }
    not: arrives
  - name: still others
    given: { to: carol }
    not: delegates
`,
      `${paid}  - id: creates
    action: contract_deployment
    where: { var: tx.creates }
    does: "create something"
  - id: arrives
    action: contract_interaction
    where: { uint_eq: [{ var: tx.mint }, "7"] }
    does: "receive something"
  - id: delegates
    action: account_delegation
    authorization: set
    acts_for: authority
    where: { addr_eq: [{ var: delegate }, pool] }
    does: "delegate something"
`,
    );
  });

  it("takes names of other files", () => {
    const other = `${head.replace("protocol: market", "protocol: other")}${paid}examples:
  - name: a payment
    given: { to: market/pool, logs: [{ market/Paid: { at: market/pool, user: alice } }] }
    rule: market/paid
    not: paid
`.replaceAll(/0x[0-9a-fA-F]{40}/g, (address) =>
      address.startsWith("0xA238") ? "0x0000000071727De22E5E9d8BAf0edAc6f37da032" : address,
    );
    const found = lintTexts({ market: `${head}${paid}examples:\n${negative}`, other });
    expect(found.map((one) => one.code).filter((code) => code === "RL602" || code === "RL604")).toEqual([]);
  });
});

describe("what cannot be built is told at its token", () => {
  it.each([
    ["given: { too: pool }", "too", "to"],
    ["given: { to: poool }", "poool", "pool"],
    ["given: { from: alcie }", "alcie", "alice"],
    ["given: { to: pool.2 }", "pool.2", "pool"],
    ["given: { to: pool, call: { pya: {} } }", "pya", "pay"],
    ["given: { to: pool, call: { pay: { amuont: 1 } } }", "amuont", "amount"],
    ["given: { to: pool, call: { pay: { amount: lots } } }", "lots", undefined],
    ["given: { to: pool, call: { pay: { amount: -1 } } }", "-1", undefined],
    ["given: { to: pool, call: { pay: { extra: { last: 1 } } } }", "1", undefined],
    ["given: { to: pool, call: { pay: { extra: { key: '0x12' } } } }", "'0x12'", undefined],
    ["given: { to: pool, call: { pay: { parts: 1 } } }", "1", undefined],
    ["given: { to: pool, call: { pay: [alice] } }", "[alice]", undefined],
    ["given: { to: pool, call: { run: { data: '0x1' } } }", "'0x1'", undefined],
    ["given: { to: pool, data: xyz }", "xyz", undefined],
    ["given: { logs: [{ Piad: { at: pool } }] }", "Piad", "Paid"],
    ["given: { logs: [{ Paid: { user: alice } }] }", "Paid", undefined],
    ["given: { logs: [{ Paid: { at: pool, usr: alice } }] }", "usr", "user"],
    ["given: { logs: [{ Paid: { at: pool }, transfer: {} }] }", "{ Paid: { at: pool }, transfer: {} }", undefined],
    ["given: { logs: [{ transfer: { tokn: USDC } }] }", "tokn", "token"],
    ["given: { logs: [{ transfer: { token: USCD, from: bob, to: bob, amount: 1 } }] }", "USCD", undefined],
    ["given: { logs: 3 }", "3", undefined],
    ["given: { native: [{ from: bob, to: bob, amount: x }] }", "x", undefined],
    ["given: { authorizations: [{ delegate: bob, signed: maybe }] }", "maybe", undefined],
    ["given: { status: revertd }", "revertd", "reverted"],
    ["given: { type: eip7703 }", "eip7703", "eip7702"],
    ["given: { value: '1.5' }", "'1.5'", undefined],
    ["like: nothng", "nothng", "nothing"],
    ["like: odd", "odd", undefined],
    ["{ like: nothing, untrusted: [pol] }", "pol", "pool"],
    [`tx: "0x${"7".repeat(64)}"`, `"0x${"7".repeat(64)}"`, undefined],
  ])("%s", (field, marked, suggest) => {
    const entry = field.startsWith("{")
      ? `  - ${field.replace("{", "{ name: odd, not: paid,")}\n`
      : `  - name: odd\n    ${field}\n    not: paid\n`;
    const { text, found } = run(
      `${entry}  - name: fine\n    given: { to: pool, logs: [{ Paid: { at: pool, user: alice } }] }\n    rule: paid\n`,
    );
    expect(found.map((one) => [one.code, markedText(text, one), one.suggest])).toEqual([["RL604", marked, suggest]]);
  });

  it("an unknown rule, and an example that says nothing", () => {
    const { text, found } = run(`  - name: fine
    given: { to: pool, logs: [{ Paid: { at: pool, user: alice } }] }
    rule: paid
  - name: odd
    given: { to: pool }
    not: piad
  - name: empty
    not: paid
`);
    expect(found.map((one) => [one.code, markedText(text, one), one.suggest])).toEqual([
      ["RL604", "piad", "paid"],
      ["RL604", "name: empty", undefined],
    ]);
  });
});

describe("what does not come out", () => {
  it("names what stands instead and who won", () => {
    const { found } = run(
      `  - name: wrong
    given: { to: pool, logs: [{ Paid: { at: pool, user: alice } }] }
    rule: weaker
  - name: more
    like: wrong
    not: paid
    action: swap
    summary: no such thing
  - name: none
    given: { to: bob }
    not: weaker
`,
      `${paid}  - id: weaker
    action: swap
    event: Paid
    at: pool
    who: args.user
    flow: { gives: any }
    does: "swap"
`,
    );
    expect(found.filter((one) => one.code === "RL602").map((one) => one.message)).toEqual([
      "the rule `weaker` was expected to stand; `market/paid` stands, and it lost to `market/paid`: log 0 is claimed",
      "the rule `paid` stands, but was not to: `0xA11C…11Ce paid through Market.`",
      "the action `swap` was expected, `payment` came out; `market/paid` stands",
      "the summary is `0xA11C…11Ce paid through Market.`; another one was expected; `market/paid` stands",
    ]);
  });
});
