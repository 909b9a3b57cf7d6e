import { afterAll, describe, expect, it } from "vitest";
import { openWebServer } from "../../support/web-server.ts";

const app = openWebServer({ web: false });
afterAll(() => app.close());

const me = "0x1111111111111111111111111111111111111111";
const preview = (payload: string) =>
  app.inject({ method: "POST", url: "/preview", headers: { "content-type": "application/json" }, payload });
/** JSON that is nested deeper than the stack allows, but within the size limit of a body. */
const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

describe("a message before it is signed that nests without end", () => {
  it.each([
    ["typed data", `"typed_data":${deep}`],
    ["objects as typed data", `"typed_data":${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`],
    ["an authorization", `"authorization":${deep}`],
    ["a user operation", `"user_operation":${deep},"entry_point":"${me}"`],
    ["its contract", `"user_operation":{},"entry_point":${deep}`],
  ])("is refused as the mistake of the caller: %s", async (_name, form) => {
    const response = await preview(`{"from":"${me}",${form}}`);
    expect(response.json()).toEqual({
      error: "invalid_typed_data",
      message: "The typed data cannot be read: it is larger than 65536 characters, or nests too deep.",
      retryable: false,
    });
    expect(response.statusCode).toBe(400);
  });
});
