export const paths = {
  start: "/",
  /** For pasted text. */
  find: "/tx",
  transaction: (hash: string): string => `/tx/${hash}`,
  drawing: (hash: string): string => `/tx/${hash}.svg`,
  answer: (hash: string): string => `/tx/${hash}.json`,
  evidence: (hash: string): string => `/tx/${hash}/evidence`,
  /** `preview`: form; `previewed`: its target. */
  preview: "/preview",
  previewed: "/preview/page",
  protocols: "/protocols",
  protocol: (id: string): string => `/protocols/${id}`,
  reference: "/docs",
  openapi: "/openapi.json",
  styles: "/assets/page.css",
  icon: "/assets/icon.svg",
} as const;

const policy = (more: readonly string[]): string =>
  ["default-src 'none'", ...more, "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"].join("; ");

/** No script, own styles and images only. */
const pagePolicy = policy(["style-src 'self'", "img-src 'self'"]);

/** A drawing has its styles inside. */
export const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'";

/** Own scripts and one document. */
export const referencePolicy = policy([
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
]);

export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": pagePolicy,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
