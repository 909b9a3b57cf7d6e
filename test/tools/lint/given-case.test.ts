import { describe, expect, it } from "vitest";
import { lintTexts } from "./lint-text.ts";
import { expectFine, head, negative, paid } from "./market-examples.ts";

describe("a given case", () => {
  const captured = `  - id: paid
    action: payment
    anchor: { call: pay }
    at: pool
    when: { var: extra.last }
    values:
      amount: { amount: amount, of: native }
      part: { integer: parts.-1 }
    say: "pay {amount} in parts, the last {part}"
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
    anchor: { call: any }
    at: pool
    money: { gives: several, gets: one native }
    say: "give {gives} for {gets}"
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
    anchor: { event: Paid }
    at: pool
    subject: user
    when:
      "==": [{ var: topic }, "0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8"]
    values:
      first: { token: path.addressAt.0 }
      last: { address: path.addressAt.-20 }
    say: "pay along {first} to {last}"
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
    given: { to: bob, type: deposit, mint: "70000000000000000", data: "0x12345678" }
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
    when: { var: tx.creates }
    say: "create something"
  - id: arrives
    action: contract_interaction
    when: { "==": [{ var: tx.mint }, "70000000000000000"] }
    say: "receive something"
  - id: delegates
    action: account_delegation
    anchor: { authorization: set }
    subject: { for: authority }
    when: { in: [{ var: delegate }, pool] }
    say: "delegate something"
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
