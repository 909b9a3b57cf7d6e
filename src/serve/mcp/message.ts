import { serviceLimits } from "../../kernel/limits.ts";
import { batch, notJson, type Problem, tooDeep } from "./problem.ts";

/** A problem: no JSON, too deep, or a batch. */
export function readMessage(body: string): { message: unknown } | { problem: Problem } {
  if (isDeep(body)) return { problem: tooDeep };
  try {
    const message = parse(body);
    return Array.isArray(message) ? { problem: batch } : { message };
  } catch {
    return { problem: notJson };
  }
}

function parse(body: string): unknown {
  // A parser may ignore a byte order mark (RFC 8259 section 8.1).
  return JSON.parse(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body);
}

/** Later code is recursive: the stack. */
function isDeep(body: string): boolean {
  if (hasFewBrackets(body)) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (inText) {
      if (code === backslash) at++;
      else if (code === quote) inText = false;
    } else if (code === quote) inText = true;
    else if (code === bracket || code === brace) {
      if (++depth > serviceLimits.messageDepthMax) return true;
    } else if (code === bracket + 2 || code === brace + 2) depth--;
  }
  return false;
}

/** Quick, true for nearly all. */
function hasFewBrackets(body: string): boolean {
  let left: number = serviceLimits.messageDepthMax;
  for (const open of ["{", "["])
    for (let at = body.indexOf(open); at >= 0; at = body.indexOf(open, at + 1)) if (--left < 0) return false;
  return true;
}

const [quote, backslash, bracket, brace] = [0x22, 0x5c, 0x5b, 0x7b];
