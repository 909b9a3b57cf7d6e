import type { IncomingHttpHeaders } from "node:http";
import { createHostCheck, isLoopbackName } from "../http/host-guard.ts";

export interface OriginGuardOptions {
  host: string;
  /** Further host names of the service, without port. */
  hosts: readonly string[];
  /** Origins of web pages that may call it; `*` for any. */
  origins: readonly string[];
}

/** The result of the check. `origin`: the allowed origin of the web page that sent the request. */
type Verdict = { allowed: true; origin: string | undefined } | { allowed: false; reason: string };

/** Makes a check of the Origin header, and of the Host header as createHostCheck does. */
export function createOriginGuard({ host, hosts, origins }: OriginGuardOptions) {
  const local = isLoopbackName(host);
  const isOwnHost = createHostCheck({ host, hosts });
  const pages = new Set(origins.map((origin) => origin.toLowerCase()));
  const anyPage = pages.has("*");

  function isOurs(origin: string): boolean {
    if (anyPage || pages.has(origin.toLowerCase())) return true;
    return local && URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
  }

  return ({ host: header, origin }: IncomingHttpHeaders): Verdict => {
    if (!isOwnHost(header)) return { allowed: false, reason: "The Host header names another host." };
    if (origin === undefined) return noOrigin;
    if (isOurs(origin)) return { allowed: true, origin };
    return { allowed: false, reason: "Pages of this origin may not call this server." };
  };
}

const noOrigin: Verdict = { allowed: true, origin: undefined };
