import type { FastifyInstance } from "fastify";
import { limits } from "../../kernel/limits.ts";
import type { PreviewAnswer } from "../../preview/preview-answer.ts";
import { type PreviewRequest, readPreviewRequest } from "../../preview/preview-request.ts";
import type { Door } from "../../service/door.ts";
import { addDoorRoute, type DoorContext } from "../door-route.ts";
import { readJsonBody } from "../explain-request.ts";

/** `POST /preview`. */
export function addPreviewRoute(
  app: FastifyInstance,
  door: Door<PreviewRequest, PreviewAnswer>,
  context: DoorContext,
): void {
  addDoorRoute(
    app,
    {
      door,
      method: "POST",
      path: "/preview",
      resource: "/preview",
      bodyLimit: limits.previewBodyBytesMax,
      read: ({ body, headers }) => readPreviewRequest(readJsonBody(body, headers)),
      asksPrice: ({ body }) => !body,
    },
    context,
  );
}
