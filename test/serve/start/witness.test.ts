import { afterAll, describe, expect, it } from "vitest";
import { openEngine } from "../../../src/engine/engine.ts";
import { readConfig } from "../../../src/serve/settings/config.ts";
import { openExplainer } from "../../../src/serve/start/open-explainer.ts";
import { signedRecord } from "../../gather/network/signed-record.ts";
import { startRpcServer } from "../../support/rpc-server.ts";
import { chainFixture, chainMethods } from "../../support/rpc-server-chain.ts";
import { base, charging } from "../settings/problems.ts";

/** Two nodes that tell different things about the same transaction, each without a contradiction of its own. */
async function startNodes() {
  const honest = await signedRecord();
  const lying = { ...honest, receipt: { ...honest.receipt, gasUsed: "0xc34f" } };
  const start = ({ hash, transaction, receipt, block, trace }: typeof honest) => {
    const known = (answer: unknown) => (asked: string) => (asked === hash ? answer : null);
    return startRpcServer({
      methods: {
        ...chainMethods(chainFixture()),
        ...{ eth_getTransactionByHash: known(transaction), eth_getTransactionReceipt: known(receipt) },
        ...{ eth_getBlockByNumber: () => block, debug_traceTransaction: known(trace) },
      },
    });
  };
  return { hash: honest.hash, urls: [(await start(lying)).url, (await start(honest)).url] };
}

describe("the service over two endpoints, of which one lies", () => {
  const engine = openEngine({ rulesDir: "rules", labelsDir: "labels" });
  const opened: ReturnType<typeof openExplainer>[] = [];
  const open = (urls: readonly string[], env: Record<string, string>) => {
    const settings = { ...base, RPC_URLS: urls.join(), BLOCKSCOUT_URL: "", LOOKUPS: "off", PRICES_URL: "", ...env };
    const explainer = openExplainer(readConfig(settings), engine);
    opened.push(explainer);
    return explainer;
  };
  afterAll(() => {
    for (const explainer of opened) explainer.close();
  });

  it("hears both where calls are charged, and one where they are not", async () => {
    const { hash, urls } = await startNodes();
    await expect(
      open(urls, { ...charging, X402_FACILITATOR: "http", X402_FACILITATOR_URL: "https://f.example" }).gather(hash),
    ).rejects.toMatchObject({
      ...{ code: "upstream_unavailable", retryAfterSeconds: 1 },
      message: "Two chain sources tell different things about this transaction.",
    });
    expect((await open(urls, {}).gather(hash)).receipt.gasUsed).toBe("0xc34f");
  });

  it("believes no block number that the chain cannot have reached", async () => {
    const { transaction, receipt, hash, block, trace } = structuredClone(await signedRecord());
    const blockNumber = `0x${(10n ** 12n).toString(16)}`;
    for (const part of [transaction, receipt, ...receipt.logs]) Object.assign(part, { blockNumber });
    const { url } = await startRpcServer({
      methods: {
        ...chainMethods(chainFixture()),
        ...{ eth_getTransactionByHash: () => transaction, eth_getTransactionReceipt: () => receipt },
        ...{ eth_getBlockByNumber: () => ({ ...block, number: blockNumber }), debug_traceTransaction: () => trace },
      },
    });
    await expect(open([url], {}).gather(hash)).rejects.toMatchObject({ code: "upstream_unavailable" });
  });
});
