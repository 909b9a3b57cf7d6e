import { type Hex, keccak256, type PublicClient } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { chain } from "../../../kernel/chain-profile.ts";
import { readRefusal } from "./node-error.ts";

/** Wei per gas (EIP-1559). */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

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
 * `sent`: sent, or perhaps sent. `poor`: the wallet cannot pay. `taken`: the nonce is used, maybe by this very transaction, whose first
 * answer got lost. `hashes` gets the hash unless no node can have accepted it.
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

/** In a block or waiting. */
function isKnown(client: PublicClient, hash: Hex): Promise<boolean> {
  return client.getTransaction({ hash }).then(
    () => true,
    () => false,
  );
}
