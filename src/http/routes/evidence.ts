import type { FastifyInstance } from "fastify";
import { ServiceError } from "../../kernel/error.ts";
import { readHash } from "../../kernel/hex.ts";
import { addDoorRoute, type DoorContext } from "../door-route.ts";

/** `GET /tx/<hash>/evidence`: the rules, logs and calls that an explanation rests on. */
export function addEvidenceRoute(app: FastifyInstance, context: DoorContext): void {
  const route = {
    door: context.service.evidence.alone,
    ...({ method: "GET", path: "/tx/:hash/evidence", resource: "/tx" } as const),
    read({ params }: { params: unknown }) {
      const hash = readHash((params as { hash: string }).hash);
      if (hash === undefined) throw new ServiceError("invalid_tx_hash");
      return hash;
    },
    asksPrice: () => false,
  };
  addDoorRoute(app, route, context);
}
