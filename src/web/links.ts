/** Every path of the pages, and the headers that each kind of page has. */
export const paths = {
  start: "/",
  /** Takes what people paste. */
  find: "/tx",
  transaction: (hash: string): string => `/tx/${hash}`,
  drawing: (hash: string): string => `/tx/${hash}.svg`,
  answer: (hash: string): string => `/tx/${hash}.json`,
  evidence: (hash: string): string => `/tx/${hash}/evidence`,
  /** Takes what is to be signed; its form is sent to the other. */
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

/** No script, nothing from elsewhere: own styles and images only. */
const pagePolicy = policy(["style-src 'self'", "img-src 'self'"]);

/** A drawing carries its styles. */
export const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'";

/** The reference runs one program of our own and reads one document of our own. */
export const referencePolicy = policy([
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
]);

/** Of every page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": pagePolicy,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
