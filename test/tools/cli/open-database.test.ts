import { beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigError } from "../../../src/serve/settings/config.ts";
import { openBulkOf } from "../../../src/tools/cli/volume/open-database.ts";

/** What the database is opened with, and what it answers. */
const fake = vi.hoisted(() => ({ given: [] as unknown[], open: async (): Promise<unknown> => "database" }));
vi.mock("../../../src/tools/bulk/queue/database.ts", () => ({
  openBulkDatabase: (...given: unknown[]) => {
    fake.given.push(given);
    return fake.open();
  },
}));
beforeEach(() => {
  Object.assign(fake, { given: [], open: async () => "database" });
});

const databaseUrl = "postgres://somewhere/else";
const open = (ledger: object, supervises = false) =>
  openBulkOf({ ledger: ledger as never }, { needed: "plans are kept", supervises });

describe("the database of block ranges", () => {
  it.each([true, false])("is that of the settings, and looks for lost jobs: %s", async (supervises) => {
    expect(await open({ databaseUrl }, supervises)).toBe("database");
    expect(fake.given).toEqual([[databaseUrl, { supervises }]]);
  });

  it("has to be set", async () => {
    const problem = "DATABASE_URL: plans are kept: expected postgres://….";
    await expect(open({ dataDir: "x" })).rejects.toEqual(new ConfigError([problem]));
    expect(fake.given).toEqual([]);
  });

  it.each([
    [new Error("no such user"), "no such user"],
    [Object.assign(new Error("refused"), { code: "ECONNREFUSED" }), "refused"],
    [Object.assign(new Error(""), { code: "ECONNREFUSED" }), "ECONNREFUSED"],
  ])("that cannot be used is a mistake of the settings: %s", async (error, said) => {
    fake.open = () => Promise.reject(error);
    const problem = `DATABASE_URL: the database cannot be used: ${said}`;
    await expect(open({ databaseUrl })).rejects.toEqual(new ConfigError([problem]));
  });
});
