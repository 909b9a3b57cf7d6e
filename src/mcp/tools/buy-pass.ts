import type { Access } from "../../access/open.ts";
import { assert, ServiceError } from "../../kernel/error.ts";
import type { Log } from "../../kernel/log.ts";
import { fail, toServiceError } from "../failure.ts";
import { paymentOf } from "../offer.ts";
import { askForPayment, type Outcome, tell } from "../outcome.ts";
import { noInput, passOutput } from "../schema.ts";
import type { Tool, ToolCall } from "../tool.ts";
import { withQuota } from "./standing.ts";

/** `buy_pass`: what `POST /pass` does, through the same metering: without a payment it tells the price, and reads nothing else. */
export function createPassTool({ access, log }: { access: Access | null; log: Log }): Tool {
  async function sell(call: ToolCall, { metering, readClient }: Access): Promise<Outcome> {
    const client = readClient(call.caller.remote, call.caller.headers["x-forwarded-for"]);
    try {
      metering.checkRate(client);
      if (Object.keys(call.arguments).length > 0)
        throw new ServiceError("invalid_json", "buy_pass takes no arguments.");
      const payment = paymentOf(call);
      const admission = await metering.admit({ client, product: "pass", resource: "/mcp", request: "", payment });
      if (admission.kind === "challenged") return askForPayment(admission);
      assert(admission.kind === "delivered" && admission.receipt !== null, "a pass is paid or challenged");
      const { receipt, quota } = admission;
      return { ...tellPass(admission.body.toString()), receipt, quota, meta: { "x402/payment-response": receipt } };
    } catch (thrown) {
      const failure = toServiceError(thrown);
      if (failure.status === 503) log.warn({ event: "refused", server: "mcp", outcome: failure.code });
      metering.noteFailure(client, failure);
      return withQuota(fail(failure, log), { metering, client });
    }
  }

  return {
    definition,
    call: (call) => (access === null ? fail(new ServiceError("payments_not_configured"), log) : sell(call, access)),
  };
}

function tellPass(body: string): Outcome {
  const pass = JSON.parse(body);
  const sentence = `A pass for ${pass.call_cap} explanations until ${pass.expires_at}. Put its pass_token into _meta["svc/pass"] of each call of explain_transaction and keep it secret.`;
  return tell(sentence, body, pass);
}

const definition: Tool["definition"] = {
  name: "buy_pass",
  title: "Buy a pass",
  description: [
    'Buys a prepaid pass for many calls of explain_transaction. It costs real money (USDC on Base, by x402): call it first without a payment to get the price, then again with the signed payment in _meta["x402/payment"].',
    'The answer holds pass_token: a secret that goes into _meta["svc/pass"] of later calls. The same payment sent again gives the same pass and charges nothing.',
    "Do not call it unless the user wants to pay.",
  ].join(" "),
  inputSchema: noInput,
  outputSchema: passOutput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
};
