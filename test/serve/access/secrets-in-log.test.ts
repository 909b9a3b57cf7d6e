import type { PaymentRequired } from "@x402/core/types";
import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Parts } from "../../../src/serve/access/parts.ts";
import { passSecret } from "../../support/metered-server.ts";
import { encode, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";
import { openOffline } from "./offline-server.ts";

const places = [
  ...["chain.look", "chain.readAuthorization", "facilitator.verify", "facilitator.settle", "ledger.findPayment"],
  ...["ledger.openPayment", "ledger.findPass", "ledger.takePassCall", "ledger.readFree", "ledger.takeFree"],
] as const;
const pass = `svc_${"1a".repeat(12)}_${"2b".repeat(32)}`;
const account = privateKeyToAccount(`0x${"11".repeat(32)}`);

/** The part that fails, and what it throws: an error that contains everything that the part was given, and our own addresses and keys. */
let failing: { place: string; as: "error" | "ours" } = { place: "", as: "error" };
let told = "";

function spoil(parts: Parts): Parts {
  const wrap = <T extends object>(name: string, part: T, answers: Partial<Record<keyof T, unknown>>): T =>
    new Proxy(part, {
      get(target, method, receiver) {
        const known = Reflect.get(target, method, receiver) as unknown;
        if (typeof known !== "function") return known;
        return (...args: unknown[]) => {
          if (`${name}.${String(method)}` !== failing.place)
            return method in answers ? answers[method as keyof T] : known.apply(target, args);
          const cause = new TypeError(
            `${JSON.stringify(args, (_, value) => (typeof value === "bigint" ? `${value}` : value))} ${told}`,
          );
          throw failing.as === "error" ? cause : new ServiceError("payments_unavailable", undefined, { cause });
        };
      },
    });
  const view = Promise.resolve({ block: 1, used: false, balance: 10n ** 12n });
  return {
    ...parts,
    chain: wrap("chain", parts.chain, { look: view, readAuthorization: Promise.resolve({ state: "open" }) }),
    facilitator: wrap("facilitator", parts.facilitator, { verify: Promise.resolve({ valid: true }) }),
    ledger: wrap("ledger", parts.ledger, {}),
  };
}

it("no line of the log holds a payment, a pass or a secret, whichever part fails", async () => {
  const server = await openOffline({ change: spoil, settings: { freeCallsPerDay: 0 }, now: Date.now });
  const required = (await (await server.buyPass()).json()) as PaymentRequired;
  const payload = await signPayment({ required, account });
  const { signature } = payload.payload as { signature: string };
  const header = encode(payload);
  const secrets = [signature.slice(2, 60), header.slice(0, 60), header.slice(-60), pass, pass.slice(-60), passSecret];
  told = `${header} ${signature} ${pass} https://node.example/v2/KEYOFOURS`;
  let number = 0;
  let logged = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.constantFrom("error", "ours"),
      fc.boolean(),
      async (place, as, isPass) => {
        failing = { place, as };
        const headers = { "PAYMENT-SIGNATURE": header, ...(isPass ? { "X-SVC-Pass": pass } : {}) };
        const reply = await (isPass ? server.explain(hashOf(++number), headers) : server.buyPass(headers));
        await reply.text();
        logged += server.lines.length;
        const lines = JSON.stringify(server.lines.splice(0));
        for (const secret of [...secrets, "KEYOFOURS"]) expect(lines).not.toContain(secret);
      },
    ),
    { numRuns: 60 },
  );
  expect(logged).toBeGreaterThan(20);
});
