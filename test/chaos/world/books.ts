import { type Address, type Hash, parseAbi } from "viem";
import { type TestChain, usdc } from "../../support/anvil.ts";
import type { LedgerPayment, LedgerView } from "./ledger-view.ts";
import { exactly, info, type Row, tally } from "./table.ts";

/** What the chain knows about one seller. */
export interface ChainBooks {
  /** For each authorization that paid the seller: its nonce and the transaction that used it. */
  used: Map<string, Hash>;
  transfers: number;
  money: bigint;
}

export async function readChain({ reader }: TestChain, payTo: Address): Promise<ChainBooks> {
  const common = { address: usdc, fromBlock: 0n } as const;
  const transfers = await reader.getLogs({ ...common, event: transferEvent, args: { to: payTo } });
  const authorizations = await reader.getLogs({ ...common, event: usedEvent });
  const ours = new Set(transfers.map(({ transactionHash }) => transactionHash));
  const paid = authorizations.filter(({ transactionHash }) => ours.has(transactionHash));
  return {
    used: new Map(paid.map(({ args, transactionHash }) => [String(args.nonce).toLowerCase(), transactionHash])),
    transfers: transfers.length,
    money: transfers.reduce((sum, { args }) => sum + (args.value ?? 0n), 0n),
  };
}

/** Compares the ledger with the chain: every transfer has its settled row, and every settled row its transfer. */
export async function compareBooks(chain: TestChain, payTo: Address, ledger: LedgerView): Promise<Row[]> {
  const { used, transfers, money } = await readChain(chain, payTo);
  const payments = await ledger.payments();
  const settled = new Map(payments.filter(isSettled).map((row) => [row.nonce.toLowerCase(), row]));
  const unwritten = [...used].filter(([nonce]) => !settled.has(nonce));
  const invented = [...settled].filter(([nonce]) => !used.has(nonce));
  const misplaced = [...settled].filter(([nonce, row]) => used.has(nonce) && used.get(nonce) !== row.tx_hash);
  const denied = payments.filter((row) => used.has(row.nonce.toLowerCase()) && !isSettled(row));
  const written = [...settled.values()].reduce((sum, { amount }) => sum + amount, 0n);
  return [
    info("transfers on chain", transfers),
    info("rows of the ledger", tally(payments.map(({ product, state }) => `${product} ${state}`))),
    exactly("transfers without a settled row", unwritten.length, 0),
    ...(denied.length > 0 ? [info("  what their rows say", tally(denied.map(describe)))] : []),
    exactly("settled rows without a transfer", invented.length, 0),
    exactly("settled rows that name another transaction", misplaced.length, 0),
    exactly("money on chain, in units of USDC", String(money), String(written)),
  ];
}

/** How many transactions failed on chain. Their gas was wasted. */
export async function countReverted({ reader }: TestChain): Promise<number> {
  let reverted = 0;
  for (let number = await reader.getBlockNumber(); number > 0n; number--) {
    const { transactions } = await reader.getBlock({ blockNumber: number });
    for (const hash of transactions)
      if ((await reader.getTransactionReceipt({ hash })).status === "reverted") reverted++;
  }
  return reverted;
}

function isSettled({ state }: LedgerPayment): boolean {
  return state === "settled";
}

function describe({ state, reason }: LedgerPayment): string {
  return reason === null ? state : `${state}: ${reason}`;
}

const [transferEvent, usedEvent] = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
]);
