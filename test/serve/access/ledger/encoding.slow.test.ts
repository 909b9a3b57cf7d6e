import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../../support/postgres.ts";
import { payment, rich } from "./sample-payment.ts";

describe.skipIf(findPostgres() === undefined)("a database in PostgreSQL", { timeout: 60_000 }, () => {
  let postgres: TestPostgres;
  let url: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase("usual");
  }, 60_000);
  afterAll(() => postgres.remove(), 60_000);

  async function createWith(encoding: string): Promise<{ databaseUrl: string }> {
    const client = new pg.Client(url);
    await client.connect();
    const name = encoding.toLowerCase();
    await client.query(`CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0`);
    await client.end();
    return { databaseUrl: url.replace(/usual$/, name) };
  }

  it.each(["UTF8", "SQL_ASCII"])("with the encoding %s keeps answers as they are", async (encoding) => {
    const ledger = await openLedger(await createWith(encoding));
    const answer = '{"summary":"0x1234…abcd got 貓 😀."}';
    await ledger.openPayment(payment("key", { answer }), rich);
    expect(await ledger.findPayment("key")).toMatchObject({ answer });
    await ledger.close();
  });

  it.each(["LATIN1", "WIN1252"])("with the encoding %s is refused, because it takes no answer", async (encoding) => {
    const message = `expected a database with the encoding UTF8; this one has ${encoding}.`;
    await expect(openLedger(await createWith(encoding))).rejects.toMatchObject({
      code: "ledger_unavailable",
      cause: { message },
    });
  });
});
