import type { Reporter } from "../../../documents/reporter.ts";
import { isEntry, type SaidEntry } from "./entry.ts";

type Path = readonly (string | number)[];

/** Words of version 2 of the language, with what is written instead. */
const ofFiles: Readonly<Record<string, string>> = {
  unwrap: "`wrappers`",
  grants: "`rights`",
  steps: "`programs`",
};

const ofRules: Readonly<Record<string, string>> = {
  event: "`anchor: { event: E }`, and where a call must stand beside it `anchor: { event: E, within: f }`",
  call: "`anchor: { call: f }`",
  transfer: "`anchor: { transfer: { from, to } }`",
  authorization: "`anchor: { authorization: set }`",
  absorbs: "`anchor: { …, absorbs: [E] }`",
  call_at: "`anchor: { …, calls_at: role }`",
  who: "`subject: user`; for `who: subject`, where the event names nobody, `subject: anyone`",
  acts_for: "`subject: { for: user }`",
  by: "`subject: { by: words }`",
  flow: "`money: { gives: …, gets: … }`; for `any` on both sides `money: { rest: any }`",
  legs: "`money: { paid: … }`, beside `gives` and `gets`",
  where: "`when`",
  does: "`say`",
  capture: "`{amount of token}` in the sentence, or `values: { name: amount of token }`",
  attempts: "`tried`",
  as: "`like`",
  without: "`none` for each field: `tried: none`",
  overrides: "`before`",
  yields: "`after: everything`",
  defers: "`after: others`",
  control: "`also: { control: … }`",
  sign: "a rule under `messages`, with `message: M`",
};

/** Reports a file of version 2 once, with the lines to write. Whether it is one. */
export function reportOldWords(file: unknown, reporter: Reporter): boolean {
  const found = oldWords(file);
  const [first] = found;
  if (first === undefined) return false;
  const lines = new Map(
    found.map(({ word, write }) => [word, `${word === addressWord ? word : `\`${word}\``} is ${write}`]),
  );
  reporter.report(
    "RL203",
    first.path,
    `${first.word === addressWord ? "an address as a key" : `\`${first.word}\``} is a word of version 2 of the rule language; version 3 was expected`,
    {
      key: true,
      help: `In version 3: ${[...lines.values()].join("; ")}. A name of an argument needs no \`args.\`. See docs/rule-language.md.`,
    },
  );
  return true;
}

const addressWord = '`"0x…": Label`';

function oldWords(file: unknown): { word: string; write: string; path: Path }[] {
  if (!isEntry(file)) return [];
  const ofFile = wordsIn(file, ofFiles, []);
  const roles = isEntry(file.contracts) ? Object.entries(file.contracts) : [];
  const byAddress = roles.flatMap(([role, stated]) => {
    const address = isEntry(stated) ? Object.keys(stated).find((key) => /^0x[0-9a-fA-F]{40}$/.test(key)) : undefined;
    return address === undefined
      ? []
      : [{ word: addressWord, write: '`Label: "0x…"`', path: ["contracts", role, address] }];
  });
  const rules = Array.isArray(file.rules) ? file.rules : [];
  return [
    ...ofFile,
    ...byAddress,
    ...rules.flatMap((rule, i) => (isEntry(rule) ? wordsIn(rule, ofRules, ["rules", i]) : [])),
  ];
}

function wordsIn(entry: SaidEntry, words: Readonly<Record<string, string>>, path: Path) {
  return Object.keys(entry).flatMap((word) => {
    const write = Object.hasOwn(words, word) ? words[word] : undefined;
    return write === undefined ? [] : [{ word, write, path: [...path, word] }];
  });
}
