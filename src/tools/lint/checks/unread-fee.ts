import type { AbiType } from "../../../rules/abi/abi-type.ts";
import type { LintFinding, UsableFile } from "../rule-view.ts";

/** `fee`, `nativeFee`, `fees`, `gasFeeAmount`. A rate has another name, or fewer bits. */
const feeName = /^(?!percent|rate).*(?:^fees?|Fees?)(?:Amount|Paid)?$/;
const bitsMin = 64;

/** RL509: an event that anchors a rule says what its service cost, and nothing in the file reads it. The fee is then told as a payment. */
export function* checkUnreadFees({ document, written, scope }: UsableFile): Generator<LintFinding> {
  const { rules = [], fees = [] } = document;
  const read = JSON.stringify([rules, fees.map(({ paid, amount }) => `.${paid} .${amount}`)]);
  const anchors = new Set(rules.flatMap((rule) => ("event" in rule ? rule.event : undefined) ?? []));
  for (const [name, { kind, inputs }] of scope.abi) {
    if (kind !== "event" || !anchors.has(name) || !Object.hasOwn(written?.abi ?? {}, name)) continue;
    const unread = feesIn(inputs).find((fee) => !new RegExp(`\\.${fee}\\b`).test(read));
    if (unread !== undefined)
      yield ["RL509", ["abi", name], `nothing reads \`${unread}\` of \`${name}\``, { key: true }];
  }
}

/** Names of amounts that are called a fee, also in structs and of lists. */
function feesIn(type: AbiType): string[] {
  if (type.kind === "array") return feesIn(type.item);
  if (type.kind !== "tuple") return [];
  return type.items.flatMap((item, i) => {
    const one = item.kind === "array" ? item.item : item;
    const isAmount = one.kind === "uint" && one.bits >= bitsMin && feeName.test(type.names[i] ?? "");
    return isAmount ? [type.names[i] as string] : feesIn(item);
  });
}
