import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

/** A connection to another server on this machine. A test can slow it down or cut it. */
export interface Wire {
  port: number;
  /** How many milliseconds every piece of data is delayed, in both directions. */
  delayMs: number;
  /** Cuts every connection. New ones are taken. */
  cut(): void;
  close(): void;
}

export async function startWire(target: number): Promise<Wire> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on("data", (data) => setTimeout(() => !to.destroyed && to.write(data), wire.delayMs));
      from.on("end", () => setTimeout(() => to.end(), wire.delayMs));
      from.on("error", () => to.destroy());
      from.on("close", () => open.delete(from));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const wire: Wire = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    cut() {
      for (const socket of open) socket.destroy();
    },
    close() {
      wire.cut();
      server.close();
    },
  };
  return wire;
}
