import type { FastifyInstance } from "fastify";

/** Characters of a part of a path that is no fixed text: what people paste into the path of a page. */
export const paramCharsMax = 2_000;

/** Which methods each path has, read from the routes that are added from now on. */
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

/** `/tx/:hash.json` takes `/tx/` and what stands before `.json`. */
function patternOf(url: string): RegExp {
  const fixed = url.split(/:\w+/).map((text) => text.replace(/[^\w/-]/g, "\\$&"));
  return new RegExp(`^${fixed.join(`[^/]{0,${paramCharsMax}}`)}$`);
}
