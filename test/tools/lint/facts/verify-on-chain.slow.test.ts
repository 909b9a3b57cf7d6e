import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeAbiParameters, getAddress, getCreate2Address, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import { runVerifySources } from "../../../../src/tools/cli/verify-sources.ts";
import { RpcFault, type RpcMethods, startRpcServer } from "../../../support/rpc-server.ts";
import { root } from "../../../support/shared.ts";
import { makeFolder, oldPool, pool, router, writeRules } from "./book.ts";

const code = "0x60016002";
const supplyTopic = keccak256(new TextEncoder().encode("Supply(address,address,uint256)"));
const eip1967 = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const nowhere = makeFolder();

interface Told {
  source: string;
  role: string;
  status: string;
  detail: string;
}

/** The verdicts with an endpoint that answers these methods. */
async function verify(path: string, methods: RpcMethods, recordings = nowhere): Promise<Told[]> {
  const server = await startRpcServer({ methods: { eth_chainId: () => "0x2105", ...methods } });
  const { out } = await runVerifySources([path, "--json", "--rpc", server.url, "--recordings", recordings]);
  return (JSON.parse(out).sources as Told[]).map(({ source, role, status, detail }) => ({
    source,
    role,
    status,
    detail,
  }));
}

describe("code on chain", () => {
  const path = writeRules({
    pool: { address: pool, sources: ["unverified: told by a user"] },
    old_pool: { address: oldPool, sources: ["unverified: told by a user"] },
  });

  it("must be where the rules expect a contract", async () => {
    const eth_getCode = (address: string) => (address.toLowerCase() === pool.toLowerCase() ? code : "0x");
    expect((await verify(path, { eth_getCode })).filter(({ source }) => source === "code on chain")).toEqual([
      { source: "code on chain", role: "pool", status: "found", detail: "" },
      { source: "code on chain", role: "old_pool", status: "absent", detail: "no code is at the address" },
    ]);
  });

  it("is uncheckable where the endpoint gives none, and where it serves another chain", async () => {
    const refuse = () => {
      throw new RpcFault(-32000, "no state");
    };
    const [, , first] = await verify(path, { eth_getCode: refuse });
    expect(first).toMatchObject({ status: "uncheckable", detail: "the endpoint told no code" });
    const [, , other] = await verify(path, { eth_chainId: () => "0x1" });
    expect(other).toMatchObject({ status: "uncheckable", detail: "the endpoint gave nothing: refused" });
  });

  it("is asked of the next endpoint when one is unusable", async () => {
    const broken = await startRpcServer({ methods: {} });
    broken.fault = "http500";
    const good = await startRpcServer({ methods: { eth_chainId: () => "0x2105", eth_getCode: () => code } });
    const args = [path, "--json", "--recordings", nowhere, "--rpc", broken.url, "--rpc", good.url];
    const { status, out } = await runVerifySources(args);
    expect(status).toBe(0);
    expect(JSON.parse(out).counts).toEqual({ found: 2, moved: 0, absent: 0, uncheckable: 2 });
  });
});

describe("a recorded hash", () => {
  const behind = router.toLowerCase();
  const word = `0x${behind.slice(2).padStart(64, "0")}`;

  it("of code still matches, or the code changed", async () => {
    const sources = [`block:12#code=${keccak256(code)}`];
    const path = writeRules({ pool: { address: pool, sources } });
    const told = async (now: string) =>
      (await verify(path, { eth_getCode: () => now })).find((one) => one.source === sources[0]);
    expect(await told(code)).toMatchObject({ status: "found" });
    expect(await told("0x6003")).toMatchObject({ status: "moved", detail: "the code is another than at block 12" });
    expect(await told("0x")).toMatchObject({ status: "absent", detail: "no code is at the address" });
  });

  it("of an implementation is compared with the code behind the proxy", async () => {
    const sources = [`block:12#implementation=${keccak256(code)}`];
    const path = writeRules({ pool: { address: pool, sources } });
    const told = async (slotWord: string, codeBehind: string) => {
      const eth_getStorageAt = (_: string, slot: string) => (slot === eip1967 ? slotWord : `0x${"0".repeat(64)}`);
      const eth_getCode = (address: string) => (address === behind ? codeBehind : "0x6001");
      return (await verify(path, { eth_getStorageAt, eth_getCode })).find((one) => one.source === sources[0]);
    };
    expect(await told(word, code)).toMatchObject({ status: "found" });
    expect(await told(word, "0x6003")).toMatchObject({ status: "moved" });
    expect(await told(`0x${"0".repeat(64)}`, code)).toMatchObject({
      status: "uncheckable",
      detail: "no storage slot of a proxy tells whose code runs",
    });
  });
});

describe("a token on chain", () => {
  const path = join(makeFolder(), "tokens.yaml");
  writeFileSync(
    path,
    `schema: tokens/v1\nsources: { list: "unverified: told by a user" }\ntokens:\n` +
      `  - { address: "${pool}", symbol: EXA, name: Example, decimals: 6, well_known: false, source: list }\n`,
  );
  const token = (symbol: string, decimals: number | null): RpcMethods => ({
    eth_call: ({ data }: { data: string }) => {
      if (data.startsWith("0x95d89b41")) return encodeAbiParameters([{ type: "string" }], [symbol]);
      if (data.startsWith("0x313ce567") && decimals !== null)
        return encodeAbiParameters([{ type: "uint8" }], [decimals]);
      throw new RpcFault(3, "execution reverted");
    },
  });
  const told = async (methods: RpcMethods) => {
    const [, { status, detail } = { status: "", detail: "" }] = await verify(path, methods);
    return `${status} ${detail}`.trim();
  };

  it("has the symbol and the decimals that labels say", async () => {
    expect(await told(token("EXA", 6))).toBe("found");
    expect(await told(token("EXA", 18))).toBe("absent the contract has 18 decimals");
    expect(await told(token("EXA", null))).toBe("absent the contract tells no decimals");
    expect(await told(token("EXB", 6))).toBe('moved the contract calls itself "EXB"');
  });
});

describe("a cited transaction", () => {
  const hash = `0x${"ab".repeat(32)}`;
  const rulesWith = (role: string) => writeRules({ pool: { address: pool, sources: [`tx:${hash}${role}`] } });
  const receipt = { status: "0x1", contractAddress: null, logs: [{ address: pool, topics: [supplyTopic] }] };
  const seen = (role: string, changes: object = {}, sent: object = { to: oldPool, input: "0x" }) =>
    verify(rulesWith(role), {
      eth_getTransactionByHash: () => sent,
      eth_getTransactionReceipt: () => ({ ...receipt, ...changes }),
      eth_getCode: () => code,
    }).then((all) => all.find(({ source }) => source.startsWith("tx:")));

  it("shows an event of the address, a call to it, or any part in it", async () => {
    expect(await seen("#Supply")).toMatchObject({ status: "found" });
    expect(await seen("")).toMatchObject({ status: "found" });
    const call = { to: pool, input: "0xf2b9fdb8" };
    expect(await seen("#supply", { logs: [] }, call)).toMatchObject({ status: "found" });
  });

  it("does not show another event, a reverted call, or an item that the file has not got", async () => {
    expect(await seen("#Transfer")).toMatchObject({ status: "absent", detail: "it has no part in Transfer there" });
    const call = { to: pool, input: "0xf2b9fdb8" };
    expect(await seen("#supply", { logs: [], status: "0x0" }, call)).toMatchObject({ status: "absent" });
    expect(await seen("", { logs: [] })).toMatchObject({ status: "absent", detail: "it takes no part in it" });
    expect(await seen("#Borrow")).toMatchObject({
      status: "uncheckable",
      detail: "the file has no `Borrow` in its abi",
    });
  });

  it("is absent when the endpoint does not know it", async () => {
    const path = rulesWith("#Supply");
    const methods = {
      eth_getTransactionByHash: () => null,
      eth_getTransactionReceipt: () => null,
      eth_getCode: () => code,
    };
    const [told] = (await verify(path, methods)).filter(({ source }) => source.startsWith("tx:"));
    expect(told).toMatchObject({ status: "absent", detail: "the endpoint knows no such transaction" });
  });
});

describe("recordings", () => {
  const hash = "0x2c6340af129f7e1ec107d13a42d6017000251ea4d1b41550a052344ef0181258";
  const recorded = JSON.parse(readFileSync(join(root, "test/transactions", `${hash}.json`), "utf8"));
  const transfer = keccak256(new TextEncoder().encode("Transfer(address,address,uint256)"));
  const log = recorded.receipt.logs.find(({ topics }: { topics: string[] }) => topics[0] === transfer);

  /** A folder with the recording, its reads replaced. */
  function record(reads: object[]): string {
    const dir = makeFolder();
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, `${hash}.json`), JSON.stringify({ ...recorded, reads }));
    return dir;
  }

  it("prove an address by the event that it wrote", async () => {
    const told = async (role: string, address: string) => {
      const path = writeRules({ pool: { address, sources: [`tx:${hash}#${role}`] } });
      const { out } = await runVerifySources([path, "--json", "--recordings", record([])]);
      return JSON.parse(out).sources[0].status;
    };
    expect(await told("Transfer", getAddress(log.address))).toBe("found");
    expect(await told("Supply", getAddress(log.address))).toBe("absent");
    expect(await told("Transfer", pool)).toBe("absent");
  });

  it("hold answers of registries, which are asked again", async () => {
    const read = {
      status: "found",
      source: "multicall3@1",
      to: pool.toLowerCase(),
      data: "0x5b16ebb7",
      result: "0x01",
    };
    const path = writeRules({ pool: { address: pool, sources: ["unverified: told by a user"] } });
    const told = async (eth_call: () => unknown) =>
      (await verify(path, { eth_call, eth_getCode: () => code }, record([read]))).find(({ source }) =>
        source.startsWith("read"),
      );
    expect(await told(() => "0x01")).toMatchObject({ status: "found" });
    expect(await told(() => "0x00")).toMatchObject({ status: "moved", detail: "it answers 0x00 by now" });
    const revert = () => {
      throw new RpcFault(3, "execution reverted");
    };
    expect(await told(revert)).toMatchObject({ status: "absent", detail: "the registry no longer answers" });
  });

  it("hold answers of members, whose addresses are computed anew", async () => {
    const hash = keccak256("0x60016002");
    const [token0, token1] = [oldPool, router].map((token) => token.toLowerCase().slice(2).padStart(64, "0"));
    const salt = keccak256(`0x${token0}${token1}`);
    const member = getCreate2Address({ from: pool, salt, bytecodeHash: hash }).toLowerCase();
    const answers = (to: string) => [
      { status: "found", source: "multicall3@1", to, data: "0x0dfe1681", result: `0x${token0}` },
      { status: "found", source: "multicall3@1", to, data: "0xd21220a7", result: `0x${token1}` },
    ];
    const proof = `create2: { deployer: pool, init_code_hash: "${hash}", reads: [token0, token1] }`;
    const path = writeRules(
      { pool: { address: pool, sources: ["unverified: told by a user"] } },
      `members:\n  pair: { ${proof} }\n`,
    );
    const told = async (reads: object[]) => {
      const { out } = await runVerifySources([path, "--json", "--recordings", record(reads)]);
      return JSON.parse(out).sources.find(({ source }: Told) => source === "create2");
    };
    expect(await told(answers(member))).toMatchObject({ role: "pair", status: "found" });
    const other = { status: "uncheckable", detail: "no recording holds the answers of such a member" };
    expect(await told(answers(oldPool.toLowerCase()))).toMatchObject(other);
    expect(await told([])).toMatchObject(other);
  });
});
