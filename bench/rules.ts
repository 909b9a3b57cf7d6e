// What many rules cost: the recorded transactions are explained with the rules of ten generated protocols, alone and among 10,000. A fifth
// of the generated rules is about events and functions that many protocols use (a Transfer, a Deposit, an approve), at contracts of their
// own. So they share a place in the index with what the transactions hold. Budget: 1.15 times.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decide } from "../src/engine/spine.ts";
import { checksum, toAddress } from "../src/kernel/address.ts";
import { compileSources } from "../src/rules/ruleset/load.ts";
import type { Ruleset } from "../src/rules/ruleset/ruleset.ts";
import { root } from "../test/support/shared.ts";
import { loadShipped, type Recorded, readRecorded } from "./support/recorded.ts";
import { measureRounds, report } from "./support/rounds.ts";

const budget = 1.15;
const rulesPerFile = 50;
const { labels } = loadShipped();
const recorded = readRecorded();
const actions = { file: "actions.yaml", text: readFileSync(join(root, "rules/actions.yaml"), "utf8") };

/** What the recorded transactions are full of. */
const shared: Record<string, string> = {
  Transfer: "event Transfer(address indexed from, address indexed to, uint256 value)",
  Approval: "event Approval(address indexed owner, address indexed spender, uint256 value)",
  Deposit: "event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)",
  transfer: "function transfer(address to, uint256 value)",
  approve: "function approve(address spender, uint256 value)",
};

const started = performance.now();
const sets = [compile(10), compile(10_000)];
console.log(`compiled in ${((performance.now() - started) / 1000).toFixed(1)} s`);

const measured = measureRounds<Recorded>(
  sets.map((ruleset) => ({
    name: `${ruleset.rules.length} rules`,
    run: ({ file }) => JSON.stringify(decide(file, ruleset, labels).explanation),
  })),
  recorded,
);
for (const { name, nanoseconds, ratio, ratioOfMeans } of measured)
  console.log(
    `${name.padEnd(14)} ${(nanoseconds / 1000).toFixed(1).padStart(7)} µs per transaction, ${ratio.toFixed(3)} times, ${ratioOfMeans.toFixed(3)} all`,
  );
report("10,000 rules ÷ 10 rules", measured.at(-1)?.ratioOfMeans ?? Number.NaN, budget);

function compile(count: number): Ruleset {
  const files = Array.from({ length: Math.ceil(count / rulesPerFile) }, (_, i) => {
    const size = Math.min(rulesPerFile, count - i * rulesPerFile);
    return { file: `generated-${i}.yaml`, text: JSON.stringify(protocolOf(i, size)) };
  });
  const { ruleset, diagnostics } = compileSources([actions, ...files]);
  const [error] = diagnostics.filter(({ level }) => level === "error");
  if (error !== undefined || ruleset.rules.length !== count) throw new Error(`not as generated: ${error?.message}`);
  return ruleset;
}

/** A protocol with two contracts and rules on events and calls in turn. JSON is valid YAML. */
function protocolOf(number: number, size: number) {
  const abi: Record<string, string> = { ...shared };
  const rules = Array.from({ length: size }, (_, i) => {
    const id = `rule-${i}`;
    // Two of every ten rules are about events and functions that many protocols use. The first protocol starts with all five of them.
    const everybodys = (number === 0 && i < 5) || i % 5 === 0;
    const anchor = everybodys
      ? (Object.keys(shared)[i % 5 === 0 ? number % 5 : i] as string)
      : `${i % 2 === 0 ? "Own" : "own"}${number}x${i}`;
    const isEvent = /^[A-Z]/.test(anchor);
    abi[anchor] ??= isEvent
      ? `event ${anchor}(address indexed who, address indexed token, uint256 amount)`
      : `function ${anchor}(address token, uint256 amount)`;
    const base = { id, action: "claim", at: "hub", does: "claim it on {protocol}" };
    return isEvent ? { ...base, event: anchor } : { ...base, call: anchor };
  });
  return {
    protocol: `generated-${number}`,
    name: `Generated ${number}`,
    kind: "protocol",
    site: "https://example.org",
    source: "generated",
    contracts: { hub: Object.fromEntries([0, 1].map((i) => [addressOf(number * 2 + i), `Hub ${i}`])) },
    abi,
    rules,
  };
}

function addressOf(number: number): string {
  return checksum(toAddress(`0x${(number + 1).toString(16).padStart(40, "9")}`));
}
