import { describe, expect, it } from "vitest";
import { readPassTender, readTender } from "../../src/service/caller.ts";

const connection = { remoteAddress: "192.0.2.1" };
const callerOf = (meta: Record<string, unknown>, headers = {}) => ({ connection, headers, meta });

describe("a pass or a claim in the _meta of a message", () => {
  it.each([
    ["a text", " svc_x ", "svc_x"],
    ["nothing", null, "of the header"],
    ["a number", 5, ""],
    ["a list", ["svc_x"], ""],
    ["an object without a text", { toString: null, valueOf: null }, ""],
  ])("is read where it is %s, and never thrown at", (_name, given, expected) => {
    const headers = { "x-svc-pass": "of the header", "x-svc-claim": "of the header" };
    expect(readTender(callerOf({ "svc/pass": given }, headers)).passToken).toBe(expected);
    expect(readPassTender(callerOf({ "svc/claim": given }, headers)).claim).toBe(expected);
  });
});
