import { readAddress } from "../../../../kernel/address.ts";
import type { DocumentPath } from "../../../../rules/documents/source-document.ts";
import { relatedTo } from "../../rule-view.ts";
import { conditionsClash, conjuncts, plainNames } from "./condition-clash.ts";
import { gatesMeet } from "./overlap.ts";
import type { RuleSet } from "./rule-set.ts";

/** RL208: an id that two rules or two unwrappers have, in one file or in two files with the same protocol id. */
export function checkIds(set: RuleSet): void {
  const firsts = new Map<string, () => ReturnType<typeof relatedTo>>();
  for (const file of set.files)
    for (const list of ["rules", "unwrap"] as const)
      (file.document[list] ?? []).forEach((entry: { id: string }, position: number) => {
        const id = `${file.document.protocol}/${entry.id}`;
        const path = [list, position, "id"];
        const related = firsts.get(`${list} ${id}`);
        if (related === undefined) firsts.set(`${list} ${id}`, () => relatedTo(file, path, "The first one"));
        else
          set.report(file, "RL208", path, `\`${id}\` is defined twice; an id of its own was expected`, {
            related: related(),
          });
      });
}

/** Words that have a meaning of their own in places where a role may stand. */
const taken = new Set(["any", "moved", "zero", "native", "subject", "emitter", "target"]);

/** RL215: a role that no rule can refer to, because its name is taken, and an address where no contract can be (18 leading zero bytes). */
export function checkRoles(set: RuleSet): void {
  for (const file of set.wanted) {
    const { contracts = {}, members = {} } = file.document;
    const report = (path: DocumentPath, problem: string) => set.report(file, "RL215", path, problem, { key: true });
    for (const [list, roles] of Object.entries({ contracts, members }))
      for (const role of Object.keys(roles)) {
        if (taken.has(role))
          report([list, role], `\`${role}\` means something else in rules; another name was expected`);
        if (list === "members" && Object.hasOwn(contracts, role))
          report([list, role], `\`${role}\` is a role of \`contracts\` already; another name was expected`);
      }
    for (const [role, entries] of Object.entries(contracts))
      for (const { address } of entries)
        if (/^0x0{36}/.test(address))
          report(["contracts", role], `no protocol has a contract at \`${address}\`; another address was expected`);
  }
}

/** RL707: one address with two labels. The spelling of the labels would decide which one readers see. */
export function checkLabels(set: RuleSet): void {
  const firsts = new Map<string, { label: string; related: () => ReturnType<typeof relatedTo> }>();
  for (const file of set.files)
    for (const [role, entries] of Object.entries(file.document.contracts ?? {}))
      entries.forEach(({ address: text, label }, i) => {
        const address = readAddress(text);
        if (address === undefined) return;
        const path = ["contracts", role, i, "label"];
        const first = firsts.get(address);
        if (first === undefined)
          firsts.set(address, { label, related: () => relatedTo(file, path, `\`${label}\` is here`) });
        else if (first.label !== label) {
          const message = `\`${text}\` is labelled \`${label}\` here and \`${first.label}\` elsewhere; one label was expected`;
          set.report(file, "RL707", path, message, { related: first.related() });
        }
      });
}

/** RL706: two unwrappers that open the same call of the same contract. Only the first one by name would ever be used. */
export function checkUnwrappers(set: RuleSet): void {
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
      set.report(one.file, "RL706", one.path, message, { related });
    }
}
