import type { FastifyInstance } from "fastify";

/** How many characters a parameter in a path may have, because people paste texts into the paths of pages. */
export const paramCharsMax = 2_000;

/** Records the methods of all routes that are added from now on. Returns a function that gives the methods of a path. */
export function recordMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    routes.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  return (path) => {
    const found = routes.filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => methods))].sort();
  };
}

/** The pattern of a route's path: `/tx/:hash.json` matches `/tx/`, any text, and `.json`. */
function patternOf(url: string): RegExp {
  const fixed = url.split(/:\w+/).map((text) => text.replace(/[^\w/-]/g, "\\$&"));
  return new RegExp(`^${fixed.join(`[^/]{0,${paramCharsMax}}`)}$`);
}
