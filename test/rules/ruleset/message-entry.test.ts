import { expect, it } from "vitest";
import { isMessageEntry } from "../../../src/rules/ruleset/document/message-entry.ts";

it.each([
  [{ sign: "Vote" }, true],
  [{ call: "vote" }, false],
  [{ call: "vote", sign: undefined }, false],
  [{}, false],
])("%j is anchored on a message: %s", (entry, expected) => {
  expect(isMessageEntry(entry)).toBe(expected);
});
