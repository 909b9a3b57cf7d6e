// Opens payments until the ledger refuses one. Then it prints how many the ledger reported as written, and how the ledger describes its own
// state.

import { codesOf } from "../../../../src/kernel/logger.ts";
import { openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { payment, rich } from "./sample-payment.ts";

const ledger = await openLedger({ dataDir: process.argv[2] as string });
let opened = 0;
let refused: unknown;
while (opened < 10_000 && refused === undefined) {
  try {
    if (await ledger.openPayment(payment(`payment-${opened}`, { answer: "x".repeat(3_000) }), rich)) opened++;
  } catch (error) {
    refused = codesOf(error);
  }
}
let health = "well";
try {
  // What is left of the journal may hold some rows.
  for (let tries = 0; tries < 100; tries++) await ledger.ping();
} catch (error) {
  health = codesOf(error);
}
process.stdout.write(JSON.stringify({ opened, refused, health }), () => process.kill(process.pid, "SIGKILL"));
