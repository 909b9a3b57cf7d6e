import { describe, expect, it } from "vitest";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import { readConfig } from "../../../src/serve/settings/config.ts";
import { findPublished, publishersOf } from "../../../src/tools/cli/contract-source.ts";
import { type FactServer, startFactServer } from "../../support/fact-server.ts";

const [one, two] = [1, 2].map((digit) => toAddress(`0x${String(digit).repeat(40)}`)) as [Address, Address];
const abiOf = (...names: string[]) => names.map((name) => ({ type: "function", name, inputs: [] }));

interface Told {
  name?: unknown;
  abi?: unknown;
  behind?: Address;
}

/** Servers of both kinds that tell this of contracts. */
async function startServers(sourcifyTells: Record<string, Told>, explorerTells: Record<string, Told>) {
  const sourcify = await startFactServer(({ pathname }) => {
    const told = sourcifyTells[pathname.split("/").at(-1) as string];
    if (told === undefined) return undefined;
    const implementations = told.behind === undefined ? [] : [{ address: told.behind }];
    return { body: { abi: told.abi, compilation: { name: told.name }, proxyResolution: { implementations } } };
  });
  const explorer = await startFactServer(({ pathname }) => {
    const told = explorerTells[pathname.split("/").at(-1) as string];
    return told && { body: { name: told.name, abi: told.abi, implementations: [{ address_hash: told.behind }] } };
  });
  return { sourcify, explorer };
}

function ask(addresses: readonly Address[], { sourcify, explorer }: { sourcify: FactServer; explorer: FactServer }) {
  const { lookups } = readConfig({ SOURCIFY_URL: sourcify.url, RECORDINGS_DIR: "" });
  return findPublished(
    addresses,
    { lookups, blockscoutUrl: explorer.url, blockscoutKey: null, rpcTimeoutMs: 5_000 },
    10_000,
  );
}

/** The findings about the first contract: its name, its items and their source, without the port number. */
async function found(sourcifyTells: Record<string, Told>, explorerTells: Record<string, Told> = {}) {
  const contract = (await ask([one], await startServers(sourcifyTells, explorerTells))).get(one);
  return contract && [contract.name, contract.items.map(({ name }) => name), contract.source.replace(/:\d+/, "")];
}

describe("who is asked for names and ABIs", () => {
  const settings = (env: Record<string, string>) => publishersOf(readConfig({ ...env, RECORDINGS_DIR: "" }));

  it.each<[Record<string, string>, string[]]>([
    [{}, ["sourcify.dev", "base.blockscout.com"]],
    [{ SOURCIFY_URL: "" }, ["base.blockscout.com"]],
    [{ BLOCKSCOUT_URL: "" }, ["sourcify.dev"]],
    [{ SOURCIFY_URL: "http://a:81/x", BLOCKSCOUT_URL: "https://b" }, ["a:81", "b"]],
    [{ LOOKUPS: "off" }, []],
  ])("with %j is %j", (env, hosts) => {
    expect(settings(env)).toEqual(hosts);
  });

  it("is nobody for an empty text", () => {
    const { lookups } = readConfig({ RECORDINGS_DIR: "" });
    expect(publishersOf({ lookups, blockscoutUrl: "" })).toEqual(["sourcify.dev"]);
  });
});

describe("what is published of a contract", () => {
  it("is its name and its items", async () => {
    expect(await found({ [one]: { name: "Vault", abi: abiOf("put", "take") } })).toEqual([
      "Vault",
      ["put", "take"],
      "127.0.0.1 (Vault)",
    ]);
  });

  it("behind a proxy is that of the code that runs, then its own", async () => {
    const proxy = { name: "Proxy", abi: abiOf("upgradeTo"), behind: two };
    expect(await found({ [one]: proxy, [two]: { name: "Vault", abi: abiOf("put", "take") } })).toEqual([
      "Vault",
      ["put", "take", "upgradeTo"],
      "127.0.0.1 (Vault)",
    ]);
    expect(await found({ [one]: proxy })).toEqual(["Proxy", ["upgradeTo"], "127.0.0.1 (Proxy)"]);
    expect(await found({ [one]: { ...proxy, abi: [] }, [two]: { name: "no name", abi: abiOf("put") } })).toEqual([
      "Proxy",
      ["put"],
      "127.0.0.1 (Proxy)",
    ]);
  });

  it.each([
    ["Vault_2$", true],
    ["_v", true],
    ["a".repeat(61), true],
    ["a".repeat(62), false],
    ["2Vault", false],
    ["Vault it is", false],
    ["", false],
    [7, false],
    [undefined, false],
  ])("has the name %j: %s", async (name, taken) => {
    expect(await found({ [one]: { name, abi: abiOf("put") } })).toEqual([
      taken ? name : null,
      ["put"],
      taken ? `127.0.0.1 (${name})` : "127.0.0.1",
    ]);
  });

  it("is asked of the explorer where the first server does not know it, or knows no item", async () => {
    const known = { [one]: { name: "Vault", abi: abiOf("take") } };
    const expected = ["Vault", ["take"], "127.0.0.1 (Vault)"];
    expect(await found({}, known)).toEqual(expected);
    expect(await found({ [one]: { name: "Other", abi: [] } }, known)).toEqual(expected);
    expect(await found({ [one]: { name: "Other", abi: abiOf("put") } }, known)).toEqual([
      "Other",
      ["put"],
      "127.0.0.1 (Other)",
    ]);
    expect(await found({}, {})).toBeUndefined();
    expect(await found({ [one]: { name: "Other", abi: [] } })).toBeUndefined();
  });
});

describe("contracts of a transaction", () => {
  const addresses = Array.from({ length: 8 }, (_, i) => toAddress(`0x${String(i + 1).repeat(40)}`));

  it("are looked up as far as the first six", async () => {
    const all = Object.fromEntries(addresses.map((address) => [address, { name: "Vault", abi: abiOf("put") }]));
    const servers = await startServers(all, {});
    expect(new Set((await ask(addresses, servers)).keys())).toEqual(new Set(addresses.slice(0, 6)));
    expect([servers.sourcify.visits.length, servers.explorer.visits.length]).toEqual([6, 0]);
  });

  it("are left out where nobody knows them, and the others are told", async () => {
    const servers = await startServers({ [two]: { name: "Vault", abi: abiOf("put") } }, {});
    expect([...(await ask([one, two], servers)).keys()]).toEqual([two]);
  });

  it("are not looked up where lookups are off, nor where nobody is to be asked", async () => {
    const servers = await startServers({ [one]: { name: "Vault", abi: abiOf("put") } }, {});
    const blockscoutUrl = servers.explorer.url;
    expect(
      await findPublished([one], { lookups: null, blockscoutUrl, blockscoutKey: null, rpcTimeoutMs: 5_000 }, 10_000),
    ).toEqual(new Map());
    expect(servers.explorer.visits).toEqual([]);
    const { lookups } = readConfig({ SOURCIFY_URL: "", RECORDINGS_DIR: "" });
    expect(
      await findPublished([one], { lookups, blockscoutUrl: null, blockscoutKey: null, rpcTimeoutMs: 5_000 }, 10_000),
    ).toEqual(new Map());
  });
});
