import Fastify from "fastify";
import { expect, it } from "vitest";
import { addMetricsRoute } from "../../../src/serve/http/routes/metrics.ts";

it("the memory of the process is told in bytes, as it is at each request", async () => {
  const app = Fastify();
  addMetricsRoute(app, {
    service: { access: null, counts: { read: () => ({}) }, untrustedForwardingSince: () => null } as never,
    connections: { draining: false, counts: () => ({ open: 0, refused: 0, cut_off: 0 }) } as never,
    endpoints: () => [],
    version: "1.2.3",
    isOperator: () => true,
    process: () => ({ log_lines_dropped: 0, rejections: 0, exceptions: 0 }),
  });
  const lines = (await app.inject("/metrics")).body.split("\n");
  const at = lines.findIndex((line) => line.startsWith("process_resident_memory_bytes "));
  expect(lines.slice(at - 2, at)).toEqual([
    "# HELP process_resident_memory_bytes Memory of the process.",
    "# TYPE process_resident_memory_bytes gauge",
  ]);
  expect(Number(lines[at]?.split(" ")[1])).toBeGreaterThan(10_000_000);
});
