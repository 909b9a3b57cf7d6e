import type { FastifyInstance } from "fastify";
import { serviceLimits } from "../../kernel/limits.ts";
import { type PreviewDoor, readPreviewQuestion } from "../../service/preview-door.ts";
import { addDoorRoute, type DoorContext } from "../door-route.ts";
import { readJsonBody } from "../explain-request.ts";

/** `POST /preview`: a transaction or a message before it is signed. */
export function addPreviewRoute(app: FastifyInstance, door: PreviewDoor, context: DoorContext): void {
  addDoorRoute(
    app,
    {
      door,
      method: "POST",
      path: "/preview",
      resource: "/preview",
      bodyLimit: serviceLimits.previewBodyBytesMax,
      read: ({ body, headers }) => readPreviewQuestion(readJsonBody(body, headers)),
      asksPrice: ({ body }) => !body,
    },
    context,
  );
}
