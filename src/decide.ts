// For scorers outside this repository, which look for it here.
import { decide as decideCase } from "./engine/spine.ts";
import { noCalendar } from "./rules/labels/calendar.ts";

/** Decides one case. Labels that a caller makes himself may have no calendar: then nothing is known of the chain's upgrades. */
export const decide: typeof decideCase = (file, ruleset, labels) =>
  decideCase(file, ruleset, "calendar" in labels ? labels : Object.assign({}, labels, { calendar: noCalendar }));
