import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readPassTender } from "../../service/caller.ts";
import { anyOriginHeaders } from "../../service/cors.ts";
import type { Sale } from "../../service/outcome.ts";
import { paymentHeaders } from "../../service/payment-headers.ts";
import type { Service } from "../../service/service.ts";
import type { PassRequest } from "../../service/service-request.ts";
import { sendChallengeOrFailure, sendJson, setHeaders } from "../reply.ts";

/** `POST /pass`; the body is not read. */
export function addPassRoute(app: FastifyInstance, service: Service): void {
  const cors = service.access === null ? {} : anyOriginHeaders;
  const send = (reply: FastifyReply, outcome: Sale) => {
    if (outcome.kind !== "bought") return sendChallengeOrFailure(reply, outcome, cors);
    return sendJson(setHeaders(reply, paymentHeaders(outcome)).headers(anyOriginHeaders), 200, outcome.body);
  };
  app.post(
    "/pass",
    {
      errorHandler: (error, request, reply) => {
        void Promise.resolve(service.fail(error, toServiceRequest(request))).then((outcome) => send(reply, outcome));
      },
    },
    async (request, reply) => send(reply, await service.sellPass(toServiceRequest(request))),
  );
}

function toServiceRequest(request: FastifyRequest): PassRequest {
  const caller = { connection: request.raw.socket, headers: request.headers };
  return {
    transport: "http",
    product: "pass",
    resource: "/pass",
    caller,
    read() {
      return readPassTender(caller);
    },
  };
}
