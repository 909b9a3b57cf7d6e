import type { IncomingHttpHeaders } from "node:http";

export interface OriginGuardOptions {
  host: string;
  /** Further host names of the service, without port. */
  hosts: readonly string[];
  /** Origins of web pages that may call it; `*` for any. */
  origins: readonly string[];
}

/** The result of the check. `origin`: the allowed origin of the web page that sent the request. */
type Verdict = { allowed: true; origin: string | undefined } | { allowed: false; reason: string };

/**
 * Makes a check of the Origin header, and of the Host header where the service listens only on this machine. Without it, a web page could
 * resolve its own name to 127.0.0.1 and reach the service through a visitor's browser (DNS rebinding).
 */
export function createOriginGuard({ host, hosts, origins }: OriginGuardOptions) {
  const local = isLoopback(host);
  const names = new Set(hosts.map((name) => name.toLowerCase()));
  const pages = new Set(origins.map((origin) => origin.toLowerCase()));
  const anyPage = pages.has("*");

  function isOurs(origin: string): boolean {
    if (anyPage || pages.has(origin.toLowerCase())) return true;
    return local && URL.canParse(origin) && isLoopback(new URL(origin).hostname);
  }

  // Clients send the same Host with every request, so the last accepted one is remembered.
  let goodHost: string | undefined;
  return ({ host: header = "", origin }: IncomingHttpHeaders): Verdict => {
    if (local && header !== goodHost) {
      const name = nameOf(header);
      if (!isLoopback(name) && !names.has(name))
        return { allowed: false, reason: "The Host header names another host." };
      goodHost = header;
    }
    if (origin === undefined) return noOrigin;
    if (isOurs(origin)) return { allowed: true, origin };
    return { allowed: false, reason: "Pages of this origin may not call this server." };
  };
}

const noOrigin: Verdict = { allowed: true, origin: undefined };

/** The host name in a Host header, without port. */
function nameOf(header: string): string {
  return (/^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(header)?.[1] ?? "").toLowerCase();
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
