import type { CodeSample } from "./code-sample.ts";

/** How files and their parts go wrong, and right. */
export const ruleFileSamples: Readonly<Record<string, CodeSample>> = {
  RL101: {
    bad: `    event: Supply
    at: pool
    at: pool`,
    good: `    event: Supply
    at: pool`,
  },
  RL102: {
    bad: `    at: &place pool`,
    good: `    at: pool`,
  },
  RL103: {
    bad: `    0xA238Dd80C259a72e81d7e4664a9801593F98d1c5: Example Lend pool`,
    good: `    "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Example Lend pool`,
  },
  RL104: {
    bad: `        - Supply: { at: pool, reserve: USDC, user: alice, amount: 100000000000000000000 }`,
    good: `        - Supply: { at: pool, reserve: USDC, user: alice, amount: "100000000000000000000" }`,
  },
  RL201: {
    bad: `(in rules/lending/bad.yaml)
protocol: another`,
    good: `(in rules/lending/good.yaml)
protocol: good`,
  },
  RL202: {
    bad: `  pool:
    "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Example Lend pool
abi:`,
    good: `  pool:
    source: example address book
    "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Example Lend pool
abi:`,
  },
  RL203: {
    bad: `    event: Supply
    att: pool`,
    good: `    event: Supply
    at: pool`,
  },
  RL204: {
    bad: `    action: lending_suply`,
    good: `    action: lending_supply`,
  },
  RL205: {
    bad: `    "0xA238dd80C259a72e81d7e4664a9801593F98d1c5": Example Lend pool`,
    good: `    "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Example Lend pool`,
  },
  RL206: {
    bad: `name: Example Lend
kind: protocol
contracts:`,
    good: `name: Example Lend
kind: protocol
site: https://example.org
contracts:`,
  },
  RL207: {
    bad: `  swap: { definition: one asset for another, did: made a swap, attempt: swap tokens }
  stake: { definition: tokens are locked, over: [wrap], did: staked tokens, attempt: stake tokens }`,
    good: `  swap: { definition: one asset for another, did: made a swap, attempt: swap tokens }
  stake: { definition: tokens are locked, over: [swap], did: staked tokens, attempt: stake tokens }`,
  },
  RL208: {
    bad: `  - id: supply
    action: lending_supply
    …
  - id: supply
    action: lending_withdraw`,
    good: `  - id: supply
    action: lending_supply
(and another id for the other rule)`,
  },
  RL209: {
    bad: `# The action types of this example.`,
    good: `# yaml-language-server: $schema=../schemas/actions.schema.json`,
  },
  RL210: {
    bad: `# draft: the name as sentences shall say it.
name: Example Lend`,
    good: `name: Example Lend`,
  },
  RL211: {
    bad: `like: orignal`,
    good: `like: original`,
  },
  RL212: {
    bad: `like: original
source: example address book`,
    good: `like: original
without: [vault]`,
  },
  RL220: {
    bad: `  summary:
    reason: "The reason is {cause}."`,
    good: `  summary:
    reason: "The reason is {reason}."`,
  },
  RL301: {
    bad: `  Supply: "event Supply(address indexed reserve, address indexed user, uint256)"`,
    good: `  Supply: "event Supply(address indexed reserve, address indexed user, uint256 amount)"`,
  },
  RL302: {
    bad: `    at: pol`,
    good: `    at: pool`,
  },
  RL303: {
    bad: `    who: args.usr`,
    good: `    who: args.user`,
  },
  RL304: {
    bad: `    who: args.amount`,
    good: `    who: args.user`,
  },
  RL305: {
    bad: `      amount: { amount: args.amount }`,
    good: `      amount: { amount: args.amount, of: args.reserve }`,
  },
  RL306: {
    bad: `    flow: { gives: three, gets: any }`,
    good: `    flow: { gives: any, gets: any }`,
  },
  RL307: {
    bad: `  Supply: "event Supply(address indexed reserve, address indexed user, uint256 amount)" # 0x12345678`,
    good: `  Supply: "event Supply(address indexed reserve, address indexed user, uint256 amount)" # 0xd1cf3d156d5f8f0d50f6c122ed609cec09d35c9b9fb3fff6ea0959134dae424e`,
  },
  RL312: {
    bad: `    each: { packed: args.calls, layout: "address to, bytes data" }`,
    good: `    each: { packed: args.calls, layout: "address to, uint16 length, bytes[length] data" }`,
  },
  RL313: {
    bad: `      amount: { amount: args.amount, of: args.reserve, scheme: eip155 }`,
    good: `      amount: { amount: args.amount, of: args.reserve }`,
  },
  RL314: {
    bad: `      chain: { chain: args.domain, scheme: cctp_domian }`,
    good: `      chain: { chain: args.domain, scheme: cctp_domain }`,
  },
  RL315: {
    bad: [
      `    each: { steps: table, codes: args.codes, inputs: args.inputs }`,
      `    inner: { from: call.from, to: call.to, data: args.codes }`,
    ].join("\n"),
    good: `    each: { steps: table, codes: args.codes, inputs: args.inputs }`,
  },
  RL401: {
    bad: `    where: { uint_gt: [{ var: args.amont }, "0"] }`,
    good: `    where: { uint_gt: [{ var: args.amount }, "0"] }`,
  },
  RL402: {
    bad: `    where: { uint_gtt: [{ var: args.amount }, "0"] }`,
    good: `    where: { uint_gt: [{ var: args.amount }, "0"] }`,
  },
  RL403: {
    bad: `    where: { uint_gt: [{ var: args.user }, "0"] }`,
    good: `    where: { uint_gt: [{ var: args.amount }, "0"] }`,
  },
  RL404: {
    bad: `    where: 
      - uint_gt: [{ var: args.amount }, "0"]
      - uint_eq: [{ var: args.amount }, "0"]`,
    good: `    where: 
      - uint_gt: [{ var: args.amount }, "0"]
      - uint_lt: [{ var: args.amount }, "10000000"]`,
  },
  RL405: {
    bad: `    where: { "!": { "!": { "!": { "!": { "!": { "!": { "!": { "!": { "!": { "!": { "!": { "!": { "!": { uint_gt: [{ var: args.amount }, "0"] } } } } } } } } } } } } } }`,
    good: `    where: { "!": { "!": { "!": { "!": { "!": { "!": { "!": { "!": { "!": { "!": { uint_gt: [{ var: args.amount }, "0"] } } } } } } } } } } }`,
  },
};
