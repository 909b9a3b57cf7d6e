import { randomUUID } from "node:crypto";
import { serviceLimits } from "../kernel/limits.ts";
import { batch, notJson, type Problem, tooDeep } from "./problem.ts";

/** A `_meta` that many messages have: its text with its name, and parsed. */
export interface UsualMeta {
  readonly text: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Reads a body as one JSON value, which may be a message. `usual`: a `_meta` that probably occurs in it. */
export function readMessage(body: string, usual?: UsualMeta): { message: unknown } | { problem: Problem } {
  if (isDeep(body)) return { problem: tooDeep };
  try {
    const message = (usual && parseAround(body, usual)) ?? parse(body);
    return Array.isArray(message) ? { problem: batch } : { message };
  } catch {
    return { problem: notJson };
  }
}

function parse(body: string): unknown {
  // RFC 8259 section 8.1 lets a parser ignore a byte order mark.
  return JSON.parse(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body);
}

/**
 * Parses the body without its `_meta`, which is half of the work, and puts the one in that is known already. undefined: the body has
 * another `_meta`, or has it in another place. Throws when the body is not JSON.
 */
function parseAround(body: string, { text, meta }: UsualMeta): unknown {
  const at = body.indexOf(metaName);
  const end = at + text.length;
  if (at < 0 || body.slice(at, end) !== text) return undefined;
  const message = parse(body.slice(0, at) + marked + body.slice(end)) as { params?: { _meta?: unknown } } | null;
  const params = message?.params;
  if (params?._meta !== mark) return undefined;
  params._meta = meta;
  return message;
}

/** How the member begins in the text of a client that writes no spaces. */
export const metaName = '"_meta":';
/** Nobody else knows it, so a body cannot contain it by itself. */
const mark = randomUUID();
const marked = `${metaName}"${mark}"`;

/** Later code walks the message by recursion, so a message that is nested too deep could exhaust the stack. */
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

/** Whether the brackets are too few for too many levels. This is quick, and it is true for nearly all messages. */
function hasFewBrackets(body: string): boolean {
  let left: number = serviceLimits.messageDepthMax;
  for (const open of ["{", "["])
    for (let at = body.indexOf(open); at >= 0; at = body.indexOf(open, at + 1)) if (--left < 0) return false;
  return true;
}

const [quote, backslash, bracket, brace] = [0x22, 0x5c, 0x5b, 0x7b];
