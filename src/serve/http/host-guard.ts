export type IsOwnHost = (header: string | undefined) => boolean;

/**
 * On loopback only the machine's names and `hosts` (without port): else a web page could resolve its name to 127.0.0.1 and come through a
 * visitor's browser (DNS rebinding).
 */
export function createHostCheck({ host, hosts }: { host: string; hosts: readonly string[] }): IsOwnHost {
  if (!isLoopbackName(host)) return () => true;
  const names = new Set(hosts.map((name) => name.toLowerCase()));
  return (header = "") => {
    const name = (/^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(header)?.[1] ?? "").toLowerCase();
    return isLoopbackName(name) || names.has(name);
  };
}

export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "::1" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
