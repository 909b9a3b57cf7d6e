import { type Hex, keccak256, type PublicClient } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { chain } from "../../../kernel/chain-profile.ts";
import { readRefusal } from "./node-error.ts";

/** Wei for each unit of gas (EIP-1559). */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** The account that signs, and the endpoints to which transactions are sent. */
export interface Sender {
  account: PrivateKeyAccount;
  client: PublicClient;
}

interface Transaction extends Fees {
  to: Hex;
  data?: Hex;
  gas: bigint;
  nonce: number;
}

/**
 * Signs and sends a transaction. `sent`: it was sent, or may have been. `poor`: the wallet cannot pay. `taken`: another transaction has its
 * nonce. The hash is added to `hashes` unless no node can have accepted it. A "taken" nonce may be due to this very transaction, sent
 * before, whose first answer got lost.
 */
export async function broadcast(
  { account, client }: Sender,
  transaction: Transaction,
  hashes: Hex[],
): Promise<"sent" | "poor" | "taken"> {
  const raw = await account.signTransaction({ ...transaction, type: "eip1559", chainId: chain.id });
  const hash = keccak256(raw);
  const refusal = await client.sendRawTransaction({ serializedTransaction: raw }).then(() => null, readRefusal);
  if (refusal === "poor") return refusal;
  if (!hashes.includes(hash)) hashes.push(hash);
  return refusal === "taken" && !(await isKnown(client, hash)) ? refusal : "sent";
}

/** Whether an endpoint has a transaction, in a block or waiting. */
function isKnown(client: PublicClient, hash: Hex): Promise<boolean> {
  return client.getTransaction({ hash }).then(
    () => true,
    () => false,
  );
}
