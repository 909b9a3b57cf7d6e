/** Whether a Host header names this service. */
export type IsOwnHost = (header: string | undefined) => boolean;

/**
 * Makes the check. Where the service listens only on this machine, its names are those of the machine and `hosts` (without port): otherwise
 * a web page could resolve its own name to 127.0.0.1, and reach the service through a visitor's browser (DNS rebinding). Elsewhere anybody
 * may reach it by any name.
 */
export function createHostCheck({ host, hosts }: { host: string; hosts: readonly string[] }): IsOwnHost {
  if (!isLoopbackName(host)) return () => true;
  const names = new Set(hosts.map((name) => name.toLowerCase()));
  // Clients send the same Host with every request, so the last accepted one is remembered.
  let good: string | undefined;
  return (header = "") => {
    if (header === good) return true;
    const name = nameOf(header);
    if (!isLoopbackName(name) && !names.has(name)) return false;
    good = header;
    return true;
  };
}

/** The host name in a Host header, without port. */
function nameOf(header: string): string {
  return (/^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(header)?.[1] ?? "").toLowerCase();
}

/** Whether the name or address is one that only this machine can mean. */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "::1" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
