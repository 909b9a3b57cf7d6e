export type IsOwnHost = (header: string | undefined) => boolean;

/**
 * On loopback only the machine's names and `hosts` (without port): else a web page could resolve its name to 127.0.0.1 and come through a
 * visitor's browser (DNS rebinding).
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

/** Without port. */
function nameOf(header: string): string {
  return (/^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(header)?.[1] ?? "").toLowerCase();
}

export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "::1" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
