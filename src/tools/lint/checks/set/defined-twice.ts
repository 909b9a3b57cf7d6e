import { readAddress } from "../../../../kernel/address.ts";
import type { DocumentPath } from "../../../../rules/documents/source-document.ts";
import { type LintFinding, relatedTo, type UsableFile } from "../../rule-view.ts";
import { conditionsClash, conjuncts, plainNames } from "./condition-clash.ts";
import { gatesMeet } from "./overlap.ts";
import type { RuleSet, SetFinding } from "./rule-set.ts";

/** RL208: an id that two rules or two unwrappers have, in one file or in two files with the same protocol id. */
export function* checkIds({ files }: RuleSet): Generator<SetFinding> {
  const firsts = new Map<string, () => ReturnType<typeof relatedTo>>();
  for (const file of files)
    for (const list of ["rules", "unwrap"] as const)
      for (const [position, entry] of (file.document[list] ?? []).entries()) {
        const id = `${file.document.protocol}/${entry.id}`;
        const path = [list, position, "id"];
        const related = firsts.get(`${list} ${id}`);
        const message = `\`${id}\` is defined twice; an id of its own was expected`;
        if (related === undefined) firsts.set(`${list} ${id}`, () => relatedTo(file, path, "The first one"));
        else yield [file, "RL208", path, message, { related: related() }];
      }
}

/** Words that have a meaning of their own in places where a role may stand. */
const taken = new Set(["any", "moved", "zero", "native", "subject", "emitter", "target"]);

/** RL215: a role that no rule can refer to, because its name is taken, and an address where no contract can be (18 leading zero bytes). */
export function* checkRoles({ document }: UsableFile): Generator<LintFinding> {
  const { contracts = {}, members = {} } = document;
  const refused = (path: DocumentPath, problem: string): LintFinding => ["RL215", path, problem, { key: true }];
  for (const [list, roles] of Object.entries({ contracts, members }))
    for (const role of Object.keys(roles)) {
      if (taken.has(role))
        yield refused([list, role], `\`${role}\` means something else in rules; another name was expected`);
      if (list === "members" && Object.hasOwn(contracts, role))
        yield refused([list, role], `\`${role}\` is a role of \`contracts\` already; another name was expected`);
    }
  for (const [role, entries] of Object.entries(contracts))
    for (const { address } of entries)
      if (/^0x0{36}/.test(address))
        yield refused(
          ["contracts", role],
          `no protocol has a contract at \`${address}\`; another address was expected`,
        );
}

/** RL707: one address with two labels. The spelling of the labels would decide which one readers see. */
export function* checkLabels({ files }: RuleSet): Generator<SetFinding> {
  const firsts = new Map<string, { label: string; related: () => ReturnType<typeof relatedTo> }>();
  for (const file of files)
    for (const [role, entries] of Object.entries(file.document.contracts ?? {}))
      for (const [i, { address: text, label }] of entries.entries()) {
        const address = readAddress(text);
        if (address === undefined) continue;
        const path = ["contracts", role, i, "label"];
        const first = firsts.get(address);
        if (first === undefined)
          firsts.set(address, { label, related: () => relatedTo(file, path, `\`${label}\` is here`) });
        else if (first.label !== label) {
          const message = `\`${text}\` is labelled \`${label}\` here and \`${first.label}\` elsewhere; one label was expected`;
          yield [file, "RL707", path, message, { related: first.related() }];
        }
      }
}

/** RL706: two unwrappers that open the same call of the same contract. Only the first one by name would ever be used. */
export function* checkUnwrappers(set: RuleSet): Generator<SetFinding> {
  const all = set.files.flatMap((file) =>
    file.unwrappers.map((unwrapper) => {
      const entries = file.document.unwrap ?? [];
      const position = entries.findIndex((entry) => `${file.document.protocol}/${entry.id}` === unwrapper.id);
      const when = conjuncts(entries[position]?.when);
      return { ...unwrapper, file, path: ["unwrap", position, "id"], when, names: plainNames(file.scope) };
    }),
  );
  for (const one of all.filter(({ file }) => set.wanted.has(file)))
    for (const other of all) {
      if (one === other || one.call.hash !== other.call.hash || !gatesMeet(one.gate, other.gate)) continue;
      if (conditionsClash(one.when, other.when, [one.names, other.names])) continue;
      const message = `\`${one.id}\` and \`${other.id}\` open the same call at the same place; one was expected`;
      const related = relatedTo(other.file, other.path, `\`${other.id}\` is here`);
      yield [one.file, "RL706", one.path, message, { related }];
    }
}
