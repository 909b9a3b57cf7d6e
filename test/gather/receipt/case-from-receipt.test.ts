import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { JsonRpcApiProvider, type JsonRpcPayload, type JsonRpcResult } from "ethers";
import { base } from "viem/chains";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../../src/engine/engine.ts";
import { type CaseInput, CaseInputError, caseFromReceipt } from "../../../src/gather/receipt/case-from-receipt.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../../../src/model/case-file.ts";
import { root } from "../../support/shared.ts";

const recorded = join(root, "test/transactions");
const cases = readdirSync(recorded)
  .filter((name) => name.endsWith(".json"))
  .map((name) => upgradeCase(JSON.parse(readFileSync(join(recorded, name), "utf8")) as CaseFile | CaseFileV1));
const engine = openEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });

/** The answers of a node. The recording has their fields, but not the place of the transaction in its block. */
function asNode({ transaction, receipt, block, tx_hash: hash }: CaseFile) {
  const place = { blockNumber: block.number, blockHash: block.hash ?? `0x${"ab".repeat(32)}` };
  const whole = { transactionHash: hash, transactionIndex: "0x0", cumulativeGasUsed: receipt.gasUsed ?? "0x0" };
  const logs = receipt.logs.map((log) => ({ ...log, ...place, ...whole, logIndex: log.logIndex ?? "0x0" }));
  const signed = { r: `0x${"11".repeat(32)}`, s: `0x${"22".repeat(32)}`, v: "0x0", yParity: "0x0", accessList: [] };
  return {
    transaction: {
      nonce: "0x0",
      gas: "0x0",
      gasPrice: "0x0",
      type: "0x0",
      transactionIndex: "0x0",
      ...transaction,
      ...place,
      ...signed,
    },
    receipt: { logsBloom: `0x${"00".repeat(256)}`, type: "0x2", ...receipt, ...place, ...whole, logs },
  };
}

const tellOf = (caseFile: CaseFile) => engine.decide(caseFile).explanation;

/** The case without what nobody gave. */
function bare(caseFile: CaseFile): CaseFile {
  const { risk: _, ...rest } = caseFile;
  return { ...rest, tokens: {}, reads: [], price: { status: "unavailable", source: "not given", eth_usd: null } };
}

const traceOf = ({ trace }: CaseFile) => ("root" in trace ? trace.root : undefined);
const listed = (caseFile: CaseFile) =>
  caseFile.trace.source === "internal_transfers" ? { trace: { source: "none", reason: "" } as const } : {};

describe("caseFromReceipt", { timeout: 60_000 }, () => {
  it("explains what a node gives as the recording of it", () => {
    for (const one of cases) {
      const trace = traceOf(one);
      const made = caseFromReceipt({ ...asNode(one), block: one.block, ...(trace && { trace }) });
      expect(tellOf(made)).toEqual(tellOf({ ...bare(one), ...listed(one) }));
    }
  });

  it("explains what viem gives likewise", () => {
    for (const one of cases) {
      const { transaction, receipt } = asNode(one);
      const formatted = {
        transaction: base.formatters.transaction.format(transaction as never),
        receipt: base.formatters.transactionReceipt.format(receipt as never),
      };
      expect(tellOf(caseFromReceipt(formatted))).toEqual(tellOf(caseFromReceipt({ transaction, receipt })));
    }
  });

  it("explains what ethers gives likewise, but for the L1 fee, which ethers drops", async () => {
    const readable = cases.filter(({ receipt }) => receipt.gasUsed !== undefined);
    expect(readable.length).toBeGreaterThan(50);
    for (const one of readable) {
      const node = asNode(one);
      const provider = new Recorded(node);
      const [transaction, receipt] = await Promise.all([
        provider.getTransaction(one.tx_hash),
        provider.getTransactionReceipt(one.tx_hash),
      ]);
      provider.destroy();
      const { l1Fee: _, ...known } = node.receipt;
      const given = { transaction, receipt } as unknown as CaseInput;
      expect(tellOf(caseFromReceipt(given))).toEqual(tellOf(caseFromReceipt({ ...node, receipt: known })));
    }
  });

  const [first] = cases as [CaseFile];
  const node = asNode(first);
  const other = `0x${"78".repeat(20)}`;
  it.each<[string, CaseInput, string]>([
    ["no transaction", { transaction: {}, receipt: node.receipt }, "invalid_transaction"],
    ["null", { transaction: null as never, receipt: node.receipt }, "invalid_transaction"],
    ["another chain", { ...node, transaction: { ...node.transaction, chainId: 1 } }, "wrong_chain"],
    [
      "another receipt",
      { ...node, receipt: { ...node.receipt, transactionHash: `0x${"12".repeat(32)}` } },
      "wrong_transaction",
    ],
    ["the receipt of another receiver", { ...node, receipt: { ...node.receipt, to: other } }, "wrong_transaction"],
    ["the receipt of a creation", { ...node, receipt: { ...node.receipt, to: null } }, "wrong_transaction"],
    ["the receipt of another sender", { ...node, receipt: { ...node.receipt, from: other } }, "wrong_transaction"],
    ["a receipt of another block", { ...node, receipt: { ...node.receipt, blockNumber: "0x1" } }, "wrong_transaction"],
    [
      "a receipt of another block of this number",
      { ...node, receipt: { ...node.receipt, blockHash: `0x${"12".repeat(32)}` } },
      "wrong_transaction",
    ],
    ["a receipt without logs", { ...node, receipt: { ...node.receipt, logs: undefined } }, "invalid_receipt"],
    ["a broken log", { ...node, receipt: { ...node.receipt, logs: [{ address: "0x" }] } }, "invalid_receipt"],
    [
      "a pending one",
      { transaction: { ...node.transaction, blockNumber: null }, receipt: { ...node.receipt, blockNumber: null } },
      "not_in_block",
    ],
    ["another block", { ...node, block: { number: 1 } }, "invalid_block"],
    ["the trace of somebody else", { ...node, trace: { type: "CALL", from: `0x${"34".repeat(20)}` } }, "invalid_trace"],
    ["a token without address", { ...node, tokens: { usdc: { symbol: "USDC" } } }, "invalid_token"],
    [
      "a token with odd decimals",
      { ...node, tokens: { [`0x${"56".repeat(20)}`]: { decimals: 256 } } },
      "invalid_token",
    ],
  ])("refuses %s by a code", (_name, given, code) => {
    const error = (() => {
      try {
        caseFromReceipt(given);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(CaseInputError);
    expect(error).toMatchObject({ code });
  });

  it("uses the tokens that are given, decimals of ethers included", () => {
    const address = `0x${"56".repeat(20)}`;
    const { tokens } = caseFromReceipt({ ...node, tokens: { [address]: { symbol: "X", decimals: 18n } } });
    expect(tokens).toEqual({
      [address]: { status: "found", source: "given", symbol: "X", name: null, decimals: 18, standard: null },
    });
  });
});

/** The provider of ethers over one recorded transaction. */
class Recorded extends JsonRpcApiProvider {
  readonly #node: ReturnType<typeof asNode>;

  constructor(node: ReturnType<typeof asNode>) {
    super(8453, { staticNetwork: true });
    this.#node = node;
    this._start();
  }

  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<JsonRpcResult[]> {
    const answers: Record<string, unknown> = {
      eth_chainId: "0x2105",
      eth_getTransactionByHash: this.#node.transaction,
      eth_getTransactionReceipt: this.#node.receipt,
    };
    return [payload].flat().map(({ id, method }) => ({ id, result: answers[method] }));
  }
}
