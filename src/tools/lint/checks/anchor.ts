import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import type { LintFinding, PlacedEntry, UsableFile } from "../rule-view.ts";

/**
 * The order in which the compiler looks for the anchor of a rule. A `call` beside an `event` is not a second anchor: it narrows the event.
 */
const anchors = ["event", "transfer", "authorization", "call"] as const;

/** RL612: a second anchor, and a `calls_at` without `within`. Both have no effect. */
export function* checkAnchors({ entry, at }: PlacedEntry): Generator<LintFinding> {
  const [anchor, ...spare] = anchors.filter((name) => entry[name] !== undefined);
  for (const name of spare)
    if (anchor !== "event" || name !== "call")
      yield [
        ...(["RL612", [...at, name]] as const),
        `\`${name}\` has no effect: \`${anchor}\` is the anchor of this rule`,
        { key: true },
      ];
  const message = "`calls_at` has no effect: it is the place of the calls that `within` names";
  if (entry.call_at !== undefined && (anchor !== "event" || entry.call === undefined))
    yield ["RL612", [...at, "call_at"], message, { key: true }];
}

/** RL613: an event or call without `at`. RL614: a receiver in the arguments of the anchor that no part of the rule reads. */
export function* checkAnchorSaid(placed: PlacedEntry, file: UsableFile): Generator<LintFinding> {
  const { entry, at } = placed;
  const anchor = entry.event === undefined ? "call" : "event";
  // Rules that a file takes over from another one are looked at there.
  const written = file.written?.rules?.some(({ id }) => id === entry.id) ?? false;
  if (!written || entry[anchor] === undefined || entry.sign !== undefined) return;
  if (entry.at === undefined)
    yield ["RL613", [...at, anchor], `nothing says where \`${anchor}\` counts; \`at\` was expected`, { key: true }];
  for (const name of unreadReceivers(placed, file)) {
    const message = `\`${name}\` may be who gets something, and no leg, condition or value reads it`;
    yield ["RL614", [...at, anchor], message];
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
