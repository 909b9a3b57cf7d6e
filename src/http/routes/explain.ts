import type { FastifyInstance } from "fastify";
import { ServiceError } from "../../kernel/error.ts";
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
      otherDoor: ({ raw: { url = "" }, query }) =>
        url === "/explain" || !asksEvidence(query) ? undefined : context.service.evidence.beside,
      // A request without a body asks for the price, as catalogs of paid services do.
      asksPrice: ({ body }) => !body,
    },
    context,
  );
}

/** `?evidence=1`. Another value is refused, so that nobody takes an answer without evidence for one with it. */
function asksEvidence(query: unknown): boolean {
  const { evidence } = query as { evidence?: string };
  if (evidence !== undefined && evidence !== "1" && evidence !== "0")
    throw new ServiceError("invalid_request", "evidence is 1 or 0.");
  return evidence === "1";
}
