import { namedMembers } from "../../../rules/abi/abi-type.ts";
import { unsupported } from "../descriptor/part.ts";
import { namesAct } from "./act-words.ts";
import type { CallSite, RuleText } from "./call-rules.ts";
import { findCall } from "./example-call.ts";
import { carriedClause, carriesLines, type Form, fieldLines, formsOf, formWords } from "./forms.ts";
import type { Intent } from "./intent.ts";

/** Throws UnsupportedError without an example. */
export function writeMessageRules(intent: Intent, stem: string, site: CallSite): RuleText[] {
  const bare = findCall(intent.item, { must: intent.musts }) ?? unsupported("conditions that no example meets");
  const forms = formsOf(intent, bare);
  // Where several rules fit, the first one is told.
  return forms.map((form, i) => {
    const id = i + 1 < forms.length ? `${stem}-detailed` : stem;
    return { id, lines: ruleLines(intent, id, form, site), example: exampleLines(intent, id, form) };
  });
}

function ruleLines(intent: Intent, id: string, form: Form, { key, roles }: CallSite): string[] {
  return [
    `  - id: ${id}`,
    "    action: contract_interaction",
    `    sign: ${key}`,
    `    at: ${roles.length === 1 ? roles[0] : `[${roles.join(", ")}]`}`,
    "    yields: true",
    ...carriesLines(intent, "    "),
    ...fieldLines(intent, form, "    "),
    `    does: ${JSON.stringify(`${signed(form)}${carriedClause(intent)}`)}`,
  ];
}

/** A verb says what it is signed for; other words are a name: `sign the message "DAO token" for {contract}`. */
function signed(form: Form): string {
  if (form.inside.length > 0 || namesAct(form.words)) return `sign for {contract} to ${formWords(form)}`;
  return `sign the message "${form.words}" for ${formWords({ ...form, words: "{contract}" })}`;
}

function exampleLines({ item }: Intent, id: string, form: Form): string[] {
  return [
    `  - name: ${id}`,
    "    given:",
    "      from: alice",
    `      message: ${JSON.stringify(namedMembers(item.inputs, form.call.args))}`,
    `    rule: ${id}`,
    "    action: contract_interaction",
  ];
}
