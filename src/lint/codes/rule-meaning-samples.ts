import type { CodeSample } from "./code-sample.ts";

/** How sentences, examples, proofs and precedence go wrong, and right. */
export const ruleMeaningSamples: Readonly<Record<string, CodeSample>> = {
  RL501: {
    bad: `    does: "supply {amont} to {protocol}"`,
    good: `    does: "supply {amount} to {protocol}"`,
  },
  RL502: {
    bad: `    capture:
      amount: { amount: args.amount, of: args.reserve }
    does: "supply to {protocol}"`,
    good: `    capture:
      amount: { amount: args.amount, of: args.reserve }
    does: "supply {amount} to {protocol}"`,
  },
  RL503: {
    bad: `    does: "supply {amount} to *{protocol}*."`,
    good: `    does: "supply {amount} to {protocol}"`,
  },
  RL504: {
    bad: `    does: "{subject} supply {amount} to {protocol}"`,
    good: `    does: "supply {amount} to {protocol}"`,
  },
  RL505: {
    bad: `    does: "supplied {amount} to {protocol} and <visit> it"`,
    good: `    does: "supply {amount} to {protocol}"`,
  },
  RL506: {
    bad: `abi:
  Withdraw: "event Withdraw(address indexed user)"`,
    good: `abi:
  Paused: "error Paused()"`,
  },
  RL601: {
    bad: `    does: "supply {amount} to {protocol}"
(and no example)`,
    good: `    does: "supply {amount} to {protocol}"
    example:
      to: pool`,
  },
  RL602: {
    bad: `    rule: supply
    action: lending_borrow`,
    good: `    rule: supply
    action: lending_supply`,
  },
  RL603: {
    bad: `  - name: a supply
    …
  - name: a supply
    like: a supply`,
    good: `  - name: a supply
    …
  - name: a stranger's event
    like: a supply`,
  },
  RL604: {
    bad: `        - Supply: { at: pool, reserve: USDC, user: alise, amount: "1000000" }`,
    good: `        - Supply: { at: pool, reserve: USDC, user: alice, amount: "1000000" }`,
  },
  RL605: {
    bad: `      - { call: [lend, supply], capture: { amount: { amount: args.amount, of: args.asset } } }`,
    good: `      - { call: lend, capture: { amount: { amount: args.amount, of: args.asset } } }`,
  },
  RL606: {
    bad: `    attempts: supply`,
    good: `    attempts:
      - { call: supply, capture: { amount: { amount: args.amount, of: args.asset } } }`,
  },
  RL610: {
    bad: `    at: any`,
    good: `    at: pool`,
  },
  RL611: {
    bad: `    event: Supply
    at: pool
    capture:`,
    good: `    event: Supply
    at: pool
    who: args.user
    capture:`,
  },
  RL701: {
    bad: `  - id: supply
    action: lending_supply
    event: Supply
    at: pool
    who: args.user
    capture:
    …
  - id: deposit
    action: lending_withdraw
    event: Supply`,
    good: `  - id: supply
    action: lending_supply
    event: Supply
    at: pool
    who: args.user
    where: { uint_lte: [{ var: args.amount }, "2000000"] }
    …
  - id: deposit
    action: lending_withdraw
    event: Supply
    …
    where: { uint_gt: [{ var: args.amount }, "2000000"] }`,
  },
  RL702: {
    bad: `  - id: supply
    …
    overrides: [deposit]
    …
  - id: deposit
    …
    overrides: [supply]`,
    good: `  - id: supply
    …
  - id: deposit
    …
    overrides: [supply]`,
  },
  RL703: {
    bad: `    overrides: [suply]`,
    good: `    overrides: [supply]`,
  },
  RL704: {
    bad: `  - id: supply
    action: lending_supply
    …
  - id: deposit
    action: lending_withdraw
    …
    overrides: [supply]
    legs:
      paid: { token: args.reserve, from: subject, amount: args.amount }`,
    good: `  - id: supply
    action: lending_supply
    …
  - id: deposit
    action: lending_withdraw
    …
    legs:
      paid: { token: args.reserve, from: subject, amount: args.amount }`,
  },
  RL705: {
    bad: `  - id: supply
    …
    overrides: [deposit]
    …
  - id: deposit
    …
    where: { uint_gt: [{ var: args.amount }, "2000000"] }`,
    good: `  - id: supply
    …
  - id: deposit
    …
    where: { uint_gt: [{ var: args.amount }, "2000000"] }
    …
    overrides: [supply]`,
  },
  RL706: {
    bad: `  - id: batch
    call: batch
    at: pool
    …
  - id: batch-again
    call: batch
    at: any`,
    good: `  - id: batch
    call: batch
    at: pool
    …
  - id: batch-again
    call: batch
    at: other`,
  },
  RL707: {
    bad: `contracts:
  market:
    source: example address book
    "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Example Market
  pool:
    source: example address book
    "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Example Lend pool`,
    good: `contracts:
  market:
    source: example address book
    "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Example Lend pool
  pool:
    source: example address book
    "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Example Lend pool`,
  },
  RL801: {
    bad: `    # rule-lint-disable-next-line RL502
    who: args.user`,
    good: `      # rule-lint-disable-next-line RL502 -- kept for the next version
      amount: { amount: args.amount, of: args.reserve }`,
  },
  RL901: {
    bad: `  - tx: "0x0000000000000000000000000000000000000000000000000000000000000001"
    rule: supply
(where the recording crashes a check)`,
    good: `    not: supply
(without that example, until the linter is mended)`,
  },
};
