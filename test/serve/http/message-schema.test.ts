import { afterAll, describe, expect, it } from "vitest";
import { compileSchema } from "../../support/schema.ts";
import { openWebServer } from "../../support/web-server.ts";

const app = openWebServer({ web: false });
afterAll(() => app.close());

const isMessage = compileSchema("message");
const me = "0x1111111111111111111111111111111111111111";
const typed = (types: { Vow: object[]; Line?: object[] }, message: object) => ({
  types,
  primaryType: "Vow",
  domain: { chainId: 8453 },
  message,
});
const line = [{ name: "note", type: "string" }];

describe("the answer about a message that no rule knows", () => {
  it.each([
    ["one text", typed({ Vow: line }, { note: "x" })],
    ["nothing", typed({ Vow: [] }, {})],
    ["a list of structs", typed({ Vow: [{ name: "all", type: "Line[]" }], Line: line }, { all: [{ note: "a" }] })],
    ["control characters", typed({ Vow: line }, { note: "\u0000\u202e\ud800\n" })],
  ])("is as its schema says, with the paths of what strangers wrote: %s", async (_name, typed_data) => {
    const headers = { "content-type": "application/json" };
    const payload = JSON.stringify({ from: me, typed_data });
    const response = await app.inject({ method: "POST", url: "/preview", headers, payload });
    const answer = response.json();
    expect([response.statusCode, answer.action_type]).toEqual([200, "unknown"]);
    expect(isMessage(answer), JSON.stringify(isMessage.errors)).toBe(true);
    const marked = answer.provenance.untrusted_fields.filter((path: string) => path.startsWith("message.fields["));
    expect(marked.length).toBe(answer.message.fields.length * (typed_data.types.Vow.length === 0 ? 0 : 3));
  });
});
