import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readRecorded } from "../../../bench/support/recorded.ts";
import { buildEngine, type Engine } from "../../../src/engine/build-engine.ts";
import { type CaseFile, upgradeCase } from "../../../src/model/case-file.ts";
import { compileLabelFacts } from "../../../src/rules/labels/load.ts";
import { buildLabels } from "../../../src/rules/labels/lookup.ts";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { anything, contractKey } from "../../../src/tools/bulk/replan/holding-key.ts";
import { Holdings, hashKey, mayHold } from "../../../src/tools/bulk/replan/holdings.ts";
import { changedKeys, stampSources } from "../../../src/tools/bulk/replan/rule-sources.ts";
import { findSources } from "../../../src/tools/lint/sources.ts";

const sources = findSources(["rules", "labels"]);
const { facts } = compileLabelFacts(sources.labels);

function open(rules: typeof sources.rules, labels = facts) {
  const loaded = compileSources(rules);
  const engine = buildEngine(loaded.ruleset, buildLabels({ ...labels, extraNames: loaded.ruleset.names }));
  return { engine, stamps: stampSources(loaded, labels) };
}

const whole = open(sources.rules);
const cases = readRecorded().map(({ file }) => upgradeCase(file));
const answerOf = (engine: Engine, file: CaseFile) => JSON.stringify(engine.decide(file).explanation);

/** What parts of one transaction each would hold. */
let held: { file: CaseFile; answer: string; filter: Uint8Array }[];
beforeAll(() => {
  held = cases.map((file) => {
    const holds = new Holdings();
    holds.add(file, whole.engine.decide(file));
    return { file, answer: answerOf(whole.engine, file), filter: holds.toBytes() };
  });
});

/** The answers that change although they would be carried over, and how many are carried over. */
function compare(other: { engine: Engine; stamps: ReturnType<typeof stampSources> }) {
  const changed = changedKeys(whole.stamps, other.stamps);
  const keys = changed.map(hashKey);
  const carried = changed.includes(anything) ? [] : held.filter(({ filter }) => !mayHold(filter, keys));
  const lost = carried.filter(({ file, answer }) => answerOf(other.engine, file) !== answer);
  const moved = held.filter(({ file, answer }) => answerOf(other.engine, file) !== answer).length;
  return { lost: lost.map(({ file }) => file.tx_hash), carried: carried.length, moved };
}

/** REPLAN_FILES=all takes one file after the other away. */
const all = sources.rules.filter(
  ({ file }) => !["actions.yaml", "verbs.yaml", "wording.yaml"].includes(basename(file)),
);
const some = ["aave-v3", "uniswap-v3", "erc20", "erc4337"];
const chosen =
  process.env.REPLAN_FILES === "all" ? all : all.filter(({ file }) => some.includes(basename(file, ".yaml")));

it("a part holds every address that stands in its data, in either case, and the empty one", () => {
  const [first] = cases as [CaseFile];
  const decision = whole.engine.decide(first);
  const address = "00aBcDeF00112233445566778899AabbCCddEEff";
  for (const [input, inside] of [
    [`0x12345678${"0".repeat(24)}${address}`, address],
    [`0x12345678${"0".repeat(24)}${address.toUpperCase()}`, address],
    [`0x12345678${"0".repeat(64)}`, "0".repeat(40)],
  ] as const) {
    const holds = new Holdings();
    holds.add({ ...first, transaction: { ...first.transaction, input: input as `0x${string}` } }, decision);
    expect(mayHold(holds.toBytes(), [hashKey(contractKey(`0x${inside}`))])).toBe(true);
  }
});

describe("a new ruleset", { timeout: 600_000 }, () => {
  it.each(chosen.map(({ file }) => [file]))("without %s takes over no answer that changes", (file) => {
    const { lost } = compare(open(sources.rules.filter((one) => one.file !== file)));
    expect(lost).toEqual([]);
  });

  it("that changes one sentence of a rule takes over everything that the rule cannot be about", () => {
    const edited = sources.rules.map((one) =>
      basename(one.file) === "rodeo.yaml"
        ? { ...one, text: one.text.replaceAll('say: "mint', 'say: "mint by itself') }
        : one,
    );
    const { lost, carried, moved } = compare(open(edited));
    expect(moved).toBeGreaterThan(0);
    expect(lost).toEqual([]);
    // A filter gives a false hit for about one key in a hundred.
    expect(carried).toBeGreaterThanOrEqual(cases.length - moved - 3);
  });

  it("with another name for an address replans what the address is in", () => {
    const [first] = held
      .flatMap(({ file }) => whole.engine.decide(file).explanation.counterparties)
      .filter(
        ({ label, address }) => label !== null && facts.names.some((name) => name.address === address.toLowerCase()),
      );
    const names = facts.names.map((name) =>
      name.address === first?.address.toLowerCase() ? { ...name, label: "Another Name" } : name,
    );
    const { lost, carried, moved } = compare(open(sources.rules, { ...facts, names }));
    expect([lost, moved > 0, carried > 0]).toEqual([[], true, true]);
  });

  it("with other tokens or tables replans everything", () => {
    const tokens = facts.tokens.slice(1);
    expect(compare(open(sources.rules, { ...facts, tokens })).carried).toBe(0);
  });
});
