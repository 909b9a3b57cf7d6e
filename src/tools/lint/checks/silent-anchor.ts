import type { Reporter } from "../../../rules/documents/reporter.ts";
import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import { entriesOf, type PlacedEntry, type UsableFile } from "../rule-view.ts";

/** RL613: an event or call without `at`. RL614: a receiver in the arguments of the anchor that no part of the rule reads. */
export function checkAnchorSaid(file: UsableFile, reporter: Reporter): void {
  // Rules that a file takes over from another one are looked at there.
  const written = new Set(file.written?.rules?.map(({ id }) => id));
  for (const placed of entriesOf(file)) {
    const { entry, at } = placed;
    if (!written.has(entry.id)) continue;
    const anchor = entry.event === undefined ? "call" : "event";
    if (entry[anchor] === undefined || entry.sign !== undefined) continue;
    if (entry.at === undefined) {
      const message = `nothing says where \`${anchor}\` counts; \`at\` was expected`;
      reporter.report("RL613", [...at, anchor], message, { key: true });
    }
    for (const name of unreadReceivers(placed, file)) {
      const message = `\`${name}\` may be who gets something, and no leg, condition or capture reads it`;
      reporter.report("RL614", [...at, anchor], message);
    }
  }
}

/** Arguments of the anchor that are addresses with a name that receivers have, and that nothing in the rule reads. */
function unreadReceivers({ entry }: PlacedEntry, { scope }: UsableFile): Set<string> {
  const read = JSON.stringify(entry);
  const names = listOf<string>(entry.event ?? entry.call).flatMap((item) => {
    const inputs = scope.abi.get(item)?.inputs;
    return inputs === undefined ? [] : inputs.names.filter((_, i) => inputs.items[i]?.kind === "address");
  });
  return new Set(names.filter((name) => receiver.test(name) && !read.includes(`args.${name}`)));
}

const receiver = /^_?(?:to|recipient|receiver|beneficiary|onBehalfOf|onBehalf|account)$/i;
