import { describe, expect, it } from "vitest";
import { collectDisturbed, disturbedRecord } from "./disturbed.ts";
import { collectDisturbedMessages, disturbedMessagesRecord } from "./disturbed-message.ts";

const accept = "on purpose? `npm run golden -- --write` accepts it";

describe("the golden record of what is told with one thing otherwise", () => {
  it("holds each recorded transaction", () => {
    const found = collectDisturbed();
    expect([...found.values()].flat().length).toBeGreaterThan(4_000);
    expect(disturbedRecord.changes(found), accept).toEqual([]);
  }, 60_000);

  it("holds each message of an example", () => {
    const found = collectDisturbedMessages();
    expect([...found.values()].flat().length).toBeGreaterThan(1_500);
    expect(disturbedMessagesRecord.changes(found), accept).toEqual([]);
  }, 60_000);
});
