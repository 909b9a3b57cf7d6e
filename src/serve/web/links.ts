/** All paths of the pages. */
export const paths = {
  start: "/",
  /** Receives what people paste, and finds the transaction in it. */
  find: "/tx",
  transaction: (hash: string): string => `/tx/${hash}`,
  drawing: (hash: string): string => `/tx/${hash}.svg`,
  answer: (hash: string): string => `/tx/${hash}.json`,
  evidence: (hash: string): string => `/tx/${hash}/evidence`,
  /** `preview` shows the form for what is to be signed; the form is sent to `previewed`. */
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

/** Pages have no script and nothing from other hosts: only styles and images of our own. */
const pagePolicy = policy(["style-src 'self'", "img-src 'self'"]);

/** The policy of a drawing, which has its styles inside. */
export const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'";

/** The policy of the API reference. It runs scripts and reads one document, all of our own host. */
export const referencePolicy = policy([
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
]);

/** Headers of every page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": pagePolicy,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
