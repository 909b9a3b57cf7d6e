import type { Ledger } from "../../../../src/serve/access/ledger/ledger.ts";
import type { NewPayment } from "../../../../src/serve/access/ledger/rows.ts";

/** A payment as the ledger gets it. */
export function payment(key: string, parts: Partial<NewPayment> = {}): NewPayment {
  return {
    key,
    product: "explain",
    fingerprint: "f1",
    payer: "0xaa",
    nonce: "0xbb",
    payTo: "0xcc",
    amount: 20_000n,
    validBefore: 2_000,
    answer: '{"summary":"è 🦊"}',
    openedAt: 1_000,
    openedBlock: 50,
    senders: "0x01",
    buyer: null,
    lines: null,
    claimKey: null,
    answerUntil: null,
    ...parts,
  };
}

/** What a new row has beside it. */
export const fresh = { confirmedAt: null, attempts: 1, beat: 0 };

/** A balance that covers everything. */
export const rich = 10n ** 12n;

/** Sells a pass with `callCap` calls that is valid until second 5000. */
export async function sellPass(ledger: Ledger, id: string, callCap: number): Promise<void> {
  await ledger.openPayment(payment(`payment of ${id}`, { product: "pass", amount: 9_000_000n }), rich);
  const pass = { id, tokenHash: `hash of ${id}`, expiresAt: 5_000, callCap };
  await ledger.settlePayment(`payment of ${id}`, { transaction: "0x01", now: 1_000, pass });
}
