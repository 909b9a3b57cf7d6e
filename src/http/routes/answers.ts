import type { FastifyInstance } from "fastify";
import type { Viewer } from "../../explain/viewer.ts";
import { ServiceError } from "../../kernel/error.ts";
import { readHash } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import { createViewDoor } from "../../service/doors.ts";
import { type PreviewDoor, readPreviewQuestion } from "../../service/preview-door.ts";
import { addDoorRoute, type DoorContext } from "../door-route.ts";
import { readExplainRequest, readJsonBody, readViewRequest } from "../explain-request.ts";

/** A request without a body asks for the price, as catalogs of paid services do. */
const asksPrice = ({ body }: { body: unknown }) => !body;

/** `POST /explain`. */
export function addExplainRoute(app: FastifyInstance, context: DoorContext): void {
  const { explanations: door, evidence } = context.service;
  const route = {
    ...({ door, method: "POST", path: "/explain", resource: "/explain", asksPrice } as const),
    read: ({ body, headers }: Parameters<typeof readViewRequest>[0]) => readExplainRequest(body, headers),
    otherDoor: ({ raw: { url = "" }, query }: { raw: { url?: string }; query: unknown }) =>
      url === "/explain" || !asksEvidence(query) ? undefined : evidence.beside,
  };
  addDoorRoute(app, route, context);
}

/** `?evidence=1`. Another value is refused, so that nobody takes an answer without evidence for one with it. */
function asksEvidence(query: unknown): boolean {
  const { evidence } = query as { evidence?: string };
  if (evidence !== undefined && evidence !== "1" && evidence !== "0")
    throw new ServiceError("invalid_request", "evidence is 1 or 0.");
  return evidence === "1";
}

/** `GET /tx/<hash>/evidence`: the rules, logs and calls that an explanation rests on. */
export function addEvidenceRoute(app: FastifyInstance, context: DoorContext): void {
  const route = {
    ...({ door: context.service.evidence.alone, method: "GET", path: "/tx/:hash/evidence", resource: "/tx" } as const),
    read({ params }: { params: unknown }) {
      const hash = readHash((params as { hash: string }).hash);
      if (hash === undefined) throw new ServiceError("invalid_tx_hash");
      return hash;
    },
    asksPrice: () => false,
  };
  addDoorRoute(app, route, context);
}

/** `POST /view`: what a transaction did to one account. */
export function addViewRoute(app: FastifyInstance, viewer: Viewer, context: DoorContext): void {
  const door = createViewDoor(viewer);
  const route = { door, method: "POST", path: "/view", resource: "/view", asksPrice, read: readViewRequest } as const;
  addDoorRoute(app, route, context);
}

/** `POST /preview`: a transaction or a message before it is signed. */
export function addPreviewRoute(app: FastifyInstance, door: PreviewDoor, context: DoorContext): void {
  const route = {
    ...({ door, method: "POST", path: "/preview", resource: "/preview", asksPrice } as const),
    bodyLimit: serviceLimits.previewBodyBytesMax,
    read: ({ body, headers }: Parameters<typeof readViewRequest>[0]) =>
      readPreviewQuestion(readJsonBody(body, headers)),
  };
  addDoorRoute(app, route, context);
}
