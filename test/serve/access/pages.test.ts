import { afterEach, describe, expect, it } from "vitest";
import { type MeteredServer, openMeteredServer } from "../../support/metered-server.ts";
import { hashOf } from "../../support/sample.ts";

const nowhere = "http://127.0.0.1:1";
let server: MeteredServer;
afterEach(() => server.close());

describe("the pages of transactions", () => {
  it("are metered by the same allowance; when it is used up a page says what a call costs", async () => {
    server = await openMeteredServer({
      ...{ rpcUrl: nowhere, facilitator: { kind: "http", url: nowhere }, settings: { freeCallsPerDay: 2 } },
    });
    const get = (path: string, accept = "text/html") => fetch(`${server.url}${path}`, { headers: { accept } });
    // What there is not costs nothing.
    for (const ending of ["png", "html", "txt"]) expect((await get(`/tx/${hashOf(1)}.${ending}`)).status).toBe(404);
    expect((await get(`/tx/${hashOf(1)}`)).status).toBe(200);
    expect((await server.explain(hashOf(2))).status).toBe(200);
    const refused = await get(`/tx/${hashOf(3)}`);
    const page = await refused.text();
    expect([refused.status, refused.headers.get("content-type")]).toEqual([402, "text/html; charset=utf-8"]);
    expect(refused.headers.get("payment-required")).toMatch(/^[\w+/=]+$/);
    expect(page).toContain("an explanation costs 0.02 USDC");
    expect(page).toMatch(/signs a payment of USDC for <span class="hex">\S+\/tx<\/span>/);
    const forPrograms = await get(`/tx/${hashOf(3)}`, "application/json");
    expect([forPrograms.status, ((await forPrograms.json()) as { error: string }).error]).toEqual([
      402,
      "free_allowance_used",
    ]);
    expect((await get("/")).status).toBe(200);
  });
});
