import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isServerAway } from "../../../src/serve/access/ledger/server-away.ts";
import { runMain, startMain } from "../../support/main-process.ts";
import { passSecret, payTo } from "../../support/metered-server.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { root } from "../../support/shared.ts";

const charging = {
  ...{ X402_PAY_TO: payTo, PASS_SECRET: passSecret, X402_FACILITATOR: "http" },
  ...{ X402_FACILITATOR_URL: "http://127.0.0.1:9", RECORDINGS_DIR: join(root, "test/transactions") },
};
const hash = "0x455761ce3e1076eb03a3af1a90b935b42a703336e08aacf218afe76102d8d171";

const adminToken = "a-token-of-the-tests";
const operator = { headers: { authorization: `Bearer ${adminToken}` } };

const explain = (url: string) =>
  fetch(`${url}/explain`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tx_hash: hash }),
  });

describe.skipIf(findPostgres() === undefined)("PostgreSQL that is down at the start", { timeout: 60_000 }, () => {
  let postgres: TestPostgres;
  let database: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    database = await postgres.createDatabase("late");
  }, 60_000);
  afterAll(() => postgres?.remove());

  it("is waited for: alive, not ready, 503 with Retry-After, and all of it works when the server is back", async () => {
    await postgres.stop();
    const { url, child, greeting } = await startMain({ ...charging, ADMIN_TOKEN: adminToken, DATABASE_URL: database });
    expect(greeting).toContain("Metered: 50 free explanations a day");

    const health = await fetch(`${url}/healthz`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({
      ...{ status: "degraded", ready: false, access: { mode: "metered", readiness: { ledger: "unavailable" } } },
      degraded: expect.arrayContaining([expect.objectContaining({ part: "ledger" })]),
    });
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { ready: false, not_ready: ["ledger"] }]);
    expect((await fetch(`${url}/metrics`, operator)).status).toBe(200);
    for (const refused of [await explain(url), await fetch(`${url}/pass`, { method: "POST" })]) {
      expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
        503,
        "ledger_unavailable",
      ]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }

    await postgres.restart();
    while ((await fetch(`${url}/readyz`)).status !== 200);
    const answered = await explain(url);
    expect([answered.status, answered.headers.get("ratelimit")]).toEqual([200, expect.stringContaining("r=49;")]);
    expect(await (await fetch(`${url}/metrics`, operator)).text()).toContain('txgloss_access_total{kind="free"} 1');
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });

  it("stops on a signal while it waits", async () => {
    const { url, child } = await startMain({ ...charging, DATABASE_URL: "postgres://127.0.0.1:9/x" });
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });

  it("ends with 2 if waiting would not help: the database does not exist", async () => {
    const missing = database.replace(/late$/, "missing");
    const { code, stdout, stderr } = await runMain({ ...charging, DATABASE_URL: missing });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain('DATABASE_URL: database "missing" does not exist');
  });
});

describe("errors that count as an outage of the ledger", () => {
  it.each<[boolean, object]>([
    [true, { code: "ECONNREFUSED" }],
    [true, { code: "ENOTFOUND" }],
    [true, { code: "57P03" }],
    [true, { code: "53300" }],
    [true, { message: "timeout expired" }],
    [true, { message: "Connection terminated due to connection timeout" }],
    [true, { errors: [Object.assign(new Error("x"), { code: "ECONNREFUSED" })] }],
    [false, { code: "28P01" }],
    [false, { code: "3D000" }],
    [false, { code: "ENOENT" }],
    [false, { message: "disk I/O error" }],
  ])("%s for %j", (expected, parts) => {
    const wrapped = new Error("The ledger does not answer.", { cause: Object.assign(new Error(), parts) });
    expect(isServerAway(wrapped)).toBe(expected);
  });
});
