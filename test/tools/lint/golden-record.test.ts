import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectGolden, runGolden } from "../../../src/tools/lint/golden/golden.ts";
import { readGolden } from "../../../src/tools/lint/golden/golden-store.ts";
import type { LintSources } from "../../../src/tools/lint/sources.ts";
import { shippedTables } from "../../support/shipped-tables.ts";
import { build } from "./given-example.ts";

const makeFolder = () => mkdtempSync(join(tmpdir(), "txgloss-record-"));
const hash = `0x${"1".repeat(64)}`;
const given = "given: { to: pool, logs: [{ Paid: { at: pool, user: alice } }] }";
const paid = [
  ...[`{ ${given}, rule: paid }`, `{ name: named, ${given}, rule: paid }`, `{ tx: "${hash}", rule: paid }`],
  ...[`{ tx: "${hash}", not: none }`, "{ given: { to: bob }, not: paid }", "{ given: { to: nobody }, not: paid }"],
];
const pools = { market: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", other: `0x${"7".repeat(40)}` };
const rules = (
  protocol: keyof typeof pools,
  does: string,
  examples: readonly string[],
  attempts = "",
) => `protocol: ${protocol}
name: A protocol
kind: protocol
source: ex/book@0123456:A.md
contracts:
  pool: { The pool: "${pools[protocol]}" }
abi:
  Paid: "event Paid(address indexed user, uint256 amount, string indexed topic, bytes path)"
  pay: "function pay(uint256 amount)"
rules:
  - { id: paid, action: payment, anchor: { event: Paid }, at: pool, subject: user, say: "${does}"${attempts} }
${examples.length === 0 ? "" : `examples:\n${examples.map((one) => `  - ${one}\n`).join("")}`}`;

interface Given {
  does?: string;
  examples?: readonly string[];
  wanted?: string[];
  other?: string;
}

const [market, other] = ["rules/pay/market.yaml", "rules/pay/other.yml"];

function sourcesOf({ does = "pay", examples = paid, wanted, other: otherText }: Given = {}): LintSources {
  const own = [
    { file: market, text: rules("market", does, examples, ", tried: pay") },
    { file: other, text: otherText ?? rules("other", "pay on", []) },
  ];
  const all = [...shippedTables, ...own];
  return { rules: all, labels: [], wanted: new Set(wanted ?? all.map(({ file }) => file)) };
}

/** A folder of recordings by name; each is a plain transfer of nothing by alice to bob. */
function recordings(...names: string[]): string {
  const dir = makeFolder();
  for (const name of names) writeFileSync(join(dir, name), JSON.stringify(build({ to: "bob" })));
  return dir;
}
const recorded = recordings(`${hash}.json`);

describe("answers that are collected", () => {
  it("are those of examples, each with a name of its own, then of reverted calls, then of folders in order", () => {
    const told: number[][] = [];
    const golden = collectGolden(sourcesOf(), {
      ...{ recordings: recorded, onFile: (...one: number[]) => told.push(one) },
      folders: [
        { name: "b", dir: recordings("0xb.json", "0xa.json", "notes.txt") },
        { name: "empty", dir: makeFolder() },
      ],
    });
    expect([...golden].map(([name, answers]) => [name, answers.map((one) => one.name)])).toEqual([
      ["rules/pay/market.txt", ["example 1", "named", hash, `${hash} (2)`, "example 5", "paid: reverted pay"]],
      ["b.txt", ["0xa", "0xb"]],
      ["empty.txt", []],
    ]);
    const [first, , third, again] = golden.get("rules/pay/market.txt") ?? [];
    expect([first?.action, first?.summary]).toEqual(["payment", "0xA11C…11Ce paid."]);
    expect(again).toEqual({ ...third, name: `${hash} (2)` });
    expect(told).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  it("are those of the files that were asked for, whatever ends their names", () => {
    const text = rules("other", "pay on", [`{ ${given}, rule: paid }`]);
    const names = (wanted?: string[]) => [
      ...collectGolden(sourcesOf({ other: text, ...(wanted && { wanted }) }), {
        recordings: recorded,
        folders: [],
      }).keys(),
    ];
    expect([names(), names([other]), names([])]).toEqual([
      ["rules/pay/market.txt", "rules/pay/other.txt"],
      ["rules/pay/other.txt"],
      [],
    ]);
  });

  it("are none of rules with mistakes, also where those were not asked for", () => {
    const broken = sourcesOf({ other: rules("other", "pay", []).replace("at: pool", "at: pol"), wanted: [market] });
    const collect = () => collectGolden(broken, { recordings: recorded, folders: [] });
    expect(collect).toThrow("the rules have 1 mistake; `rule-lint` shows them");
  });
});

describe("a run over the record", () => {
  const counts = (text: string) => text.split("\n").at(-2);
  const options = (dir: string, more: object = {}) => ({ dir, write: false, since: null, cases: [], ...more });

  it("tells what changed until it is written", () => {
    const dir = join(makeFolder(), "golden");
    const run = (given?: Given, write = false) => {
      const { text, changed } = runGolden(sourcesOf(given), recorded, options(dir, { write }));
      return [counts(text), changed];
    };
    const news = "Answers: 0 changed, 0 changed in their evidence only, 7 new, 0 gone.";
    const same = "Answers: 0 changed, 0 changed in their evidence only, 0 new, 0 gone.";
    expect(run()).toEqual([news, true]);
    expect(existsSync(dir)).toBe(false);
    expect([run({}, true), run()]).toEqual([
      [news, false],
      [same, false],
    ]);
    expect(readFileSync(join(dir, "rules/pay/market.txt"), "utf8").split("\n")).toHaveLength(7);
    expect(run({ does: "pay it" })).toEqual([
      "Answers: 3 changed, 0 changed in their evidence only, 0 new, 0 gone.",
      true,
    ]);
    expect(run({ examples: [...paid, `{ name: more, ${given}, rule: paid }`] })).toEqual([
      "Answers: 0 changed, 0 changed in their evidence only, 1 new, 0 gone.",
      true,
    ]);
    expect(run({ examples: paid.slice(0, 1) })).toEqual([
      "Answers: 0 changed, 0 changed in their evidence only, 0 new, 4 gone.",
      true,
    ]);
  });

  it("does not miss files that it was not asked for, nor folders that are not here", () => {
    const dir = makeFolder();
    mkdirSync(join(dir, "rules/pay"), { recursive: true });
    for (const name of ["rules/pay/gone", "elsewhere"])
      writeFileSync(join(dir, `${name}.txt`), "a name\tswap\tab\tcd\tAlice swapped.\n");
    const gone = (given: Given) => /\d+ gone/.exec(runGolden(sourcesOf(given), recorded, options(dir)).text)?.[0];
    expect([gone({}), gone({ wanted: [market] })]).toEqual(["1 gone", "0 gone"]);
    runGolden(sourcesOf(), recorded, options(dir, { write: true }));
    expect([...readGolden(dir).keys()].sort()).toEqual(["elsewhere.txt", "recordings.txt", "rules/pay/market.txt"]);
  });

  it("takes further folders by name", () => {
    const dir = makeFolder();
    const run = (...cases: string[]) => runGolden(sourcesOf({ examples: [] }), recorded, options(dir, { cases }));
    const more = recordings("0x1.json", "0x2.json");
    const { text } = run(`mine/a-1=${more}`);
    expect(text.split("\n").filter((line) => !line.startsWith(" "))).toEqual([
      ...["mine/a-1.txt", "recordings.txt", "rules/pay/market.txt"],
      ...["Answers: 0 changed, 0 changed in their evidence only, 4 new, 0 gone.", ""],
    ]);
    for (const one of [more, `Mine=${more}`, `=${more}`, "mine=", "mine=/no/such/folder", ` mine=${more}`])
      expect(() => run(one)).toThrow(
        `--cases expects NAME=DIR with a folder that is there, got ${JSON.stringify(one)}`,
      );
  });

  it("refuses what is no case file of one transaction, by its name", () => {
    const more = recordings("0x1.json");
    const path = join(more, "0x1.json");
    const run = () => runGolden(sourcesOf({ examples: [] }), more, options(makeFolder()));
    writeFileSync(path, JSON.stringify({ ...build({ to: "bob" }), tx_hash: hash }));
    expect(run).toThrow(`${path} is of different transactions: tx_hash is ${hash}, and \`hash\` of the transaction 0x`);
    writeFileSync(path, "{}");
    expect(run).toThrow(`${path} is no case file`);
  });

  it("refuses what is no golden file, by its name", () => {
    const dir = makeFolder();
    writeFileSync(join(dir, "odd.txt"), "a\tb\n");
    expect(() => readGolden(dir)).toThrow("odd.txt is no golden file: line 1 does not have five fields");
    expect(readGolden(join(dir, "none"))).toEqual(new Map());
  });
});
