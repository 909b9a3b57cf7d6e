import type { FastifyInstance } from "fastify";
import { addDoorRoute, type DoorContext } from "../door-route.ts";
import { readExplainRequest } from "../explain-request.ts";

/** `POST /explain`. */
export function addExplainRoute(app: FastifyInstance, context: DoorContext): void {
  addDoorRoute(
    app,
    {
      door: context.service.explanations,
      method: "POST",
      path: "/explain",
      resource: "/explain",
      read: ({ body, headers }) => readExplainRequest(body, headers),
      // A request without a body asks for the price, as catalogs of paid services do.
      asksPrice: ({ body }) => !body,
    },
    context,
  );
}
