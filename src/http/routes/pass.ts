import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { receiptHeader } from "../../access/answer-headers.ts";
import type { Access } from "../../access/open.ts";
import { ServiceError } from "../../kernel/error.ts";
import { acceptsJson } from "../accept.ts";
import { clientOf, paymentOf, sendChallenge, setQuota } from "../access-headers.ts";
import { corsHeaders } from "../cors.ts";
import type { MeteredFailure } from "../metered-failure.ts";

/** `POST /pass`: sells a prepaid pass. Its body is not read. Where nothing is sold it says so. */
export function addPassRoute(
  app: FastifyInstance,
  { access, fail }: { access: Access | null; fail: MeteredFailure | null },
): void {
  if (access === null || fail === null) {
    app.post("/pass", () => {
      throw new ServiceError("payments_not_configured");
    });
    return;
  }
  const { metering, readClient } = access;

  async function sell(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const client = clientOf(request, readClient);
    metering.checkRate(client);
    if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
    const payment = paymentOf(request);
    const admission = await metering.admit({ client, product: "pass", resource: "/pass", request: "", payment });
    if (admission.kind === "challenged") return void sendChallenge(reply, admission);
    if (admission.kind === "admitted") throw new Error("a pass is paid or challenged, never granted");
    if (admission.receipt !== null) reply.header("payment-response", receiptHeader(admission.receipt));
    setQuota(reply, admission.quota)
      .headers(corsHeaders)
      .header("cache-control", "no-store")
      .header("content-type", "application/json; charset=utf-8")
      .send(admission.body);
  }

  app.post("/pass", { errorHandler: (error, request, reply) => void fail(error, { request, reply }) }, sell);
}
