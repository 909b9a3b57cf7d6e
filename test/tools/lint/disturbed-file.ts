import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lint } from "../../../src/tools/lint/lint.ts";
import { DigestRecord, type Digests, digestOf, type Told } from "../../golden/digest-record.ts";
import { root } from "../../support/shared.ts";
import { noRecordings } from "./lint-text.ts";

/** Rule files that together use most of the language, and label files of each kind. */
const bases = [
  ...[
    "bridges/tbtc",
    "bridges/meson",
    "nft/seadrop",
    "accounts/erc4337",
    "social/unlock",
    "dex/overtime",
    "dex/uniswap-v2",
  ],
  ...["dex/quickswap-v4", "governance/seamless-governance", "yield/reserve"],
  ...["standards/multicall", "standards/nft", "standards/permit2", "standards/envelope", "actions", "verbs", "wording"],
].map((name) => `rules/${name}.yaml`);
const labels = ["chains", "feeds", "proxies", "share-decimals", "system", "tokens"].map(
  (name) => `labels/${name}.yaml`,
);
const common = ["rules/actions.yaml", "rules/verbs.yaml"];
export const disturbedFilesRecord = new DigestRecord(join(root, "test/tools/lint/disturbed-files.tsv"));
/** Every fourth line of a file is changed, each in one way. Long files have fewer changed lines. */
const share = 4;
const linesMax = 40;

/** What an author may do to a line by mistake. */
const mistakes: Readonly<Record<string, (line: string) => string>> = {
  "is left out": () => "",
  "stands twice": (line) => `${line}\n${line}`,
  "stands too far to the right": (line) => `  ${line}`,
  "stands too far to the left": (line) => line.replace(/^ {2}/, ""),
  "has no value": (line) => line.replace(/: .*/, ":"),
  "has a list as value": (line) => line.replace(/: (.*)/, ": [$1]"),
  "has a map as value": (line) => line.replace(/: (.*)/, ": { any: $1 }"),
  "has two letters of its key exchanged": (line) => line.replace(/(\w)(\w)(\w*):/, "$2$1$3:"),
  "has another key": (line) => line.replace(/(\w+):/, "$1s:"),
  "lacks the last letter": (line) => line.replace(/\w(\W*)$/, "$1"),
  "lacks its quotes": (line) => line.replaceAll('"', ""),
  "has another number": (line) => line.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
  "has another case": (line) => line.replace(/: (.*)/, (value) => value.toUpperCase()),
  "ends in a comment": (line) => `${line} # rule-lint-disable-line`,
};
const kinds = Object.entries(mistakes);

/** What `rule-lint` says about each file with each mistake, as a digest; by file. */
export function lintDisturbed(): Digests {
  return new Map([...bases, ...labels].map((base) => [base, disturbedOf(base)]));
}

function disturbedOf(base: string): Told[] {
  const lines = textOf(base).split("\n");
  const every = Math.max(share, Math.ceil(lines.length / linesMax));
  return lines.flatMap((line, i) => {
    const [name, change] = kinds[(Math.floor(i / every) * 5) % kinds.length] as (typeof kinds)[number];
    const changed = change(line);
    if (i % every !== 0 || changed === line || line === "") return [];
    return { name: `line ${i + 1} ${name}`, digest: digestOf(toldOf(base, lines.with(i, changed).join("\n"))) };
  });
}

function toldOf(base: string, text: string): unknown {
  const isLabels = labels.includes(base);
  const files = [...new Set(isLabels ? common : [...common, base])];
  const rules = files.map((file) => ({ file, text: file === base ? text : textOf(file) }));
  const own = isLabels ? [{ path: base, text }] : [];
  const { diagnostics } = lint({ rules, labels: own, wanted: new Set([base]) }, noRecordings);
  return diagnostics.map(({ code, level, range, message, help, suggest }) => [
    code,
    level,
    range,
    message,
    help,
    suggest,
  ]);
}

const texts = new Map<string, string>();

function textOf(file: string): string {
  const known = texts.get(file) ?? readFileSync(join(root, file), "utf8");
  texts.set(file, known);
  return known;
}
