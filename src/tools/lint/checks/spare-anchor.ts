import type { Reporter } from "../../../rules/documents/reporter.ts";
import { entriesOf, type UsableFile } from "../rule-view.ts";

/**
 * The order in which the compiler looks for the anchor of a rule. A `call` beside an `event` is not a second anchor: it narrows the event.
 */
const anchors = ["event", "transfer", "authorization", "call"] as const;

/** RL612: a second anchor, and a `call_at` without a call beside an event. Both have no effect. */
export function checkAnchors(file: UsableFile, reporter: Reporter): void {
  for (const { entry, at } of entriesOf(file)) {
    const [anchor, ...spare] = anchors.filter((name) => entry[name] !== undefined);
    for (const name of spare)
      if (anchor !== "event" || name !== "call")
        reporter.report("RL612", [...at, name], `\`${name}\` has no effect: \`${anchor}\` is the anchor of this rule`, {
          key: true,
        });
    if (entry.call_at !== undefined && (anchor !== "event" || entry.call === undefined)) {
      const message = "`call_at` has no effect: it is the place of a `call` beside an `event`";
      reporter.report("RL612", [...at, "call_at"], message, { key: true });
    }
  }
}
