import type { FastifyInstance } from "fastify";
import type { Viewer } from "../../explain/viewer.ts";
import { createViewDoor } from "../../service/view-door.ts";
import { addDoorRoute, type DoorContext } from "../door-route.ts";
import { readViewRequest } from "../explain-request.ts";

/** `POST /view`: what a transaction did to one account. */
export function addViewRoute(app: FastifyInstance, viewer: Viewer, context: DoorContext): void {
  const route = {
    door: createViewDoor(viewer),
    ...({ method: "POST", path: "/view", resource: "/view" } as const),
    read: readViewRequest,
    asksPrice: ({ body }: { body: unknown }) => !body,
  };
  addDoorRoute(app, route, context);
}
