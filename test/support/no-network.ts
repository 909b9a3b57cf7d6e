import { Socket } from "node:net";

// Loaded before every test file. It blocks every connection to another machine, so no test can depend on the network.
const connect = Socket.prototype.connect;
Socket.prototype.connect = function guarded(this: Socket, ...args: unknown[]) {
  const host = readHost(args);
  if (!isLoopback(host)) throw new Error(`a test tried to reach ${host}: tests have no network beyond this machine`);
  return Reflect.apply(connect, this, args) as Socket;
} as typeof connect;

/** Calls from inside Node pass one array of normalized arguments. */
function readHost(args: unknown[]): string {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof first === "object" && first !== null) {
    const { host, path } = first as { host?: string; path?: string };
    return path !== undefined && path !== null ? "localhost" : (host ?? "localhost");
  }
  return typeof args[1] === "string" ? args[1] : "localhost";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127\./.test(host);
}
