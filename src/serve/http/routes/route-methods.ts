import type { FastifyInstance } from "fastify";

/** People paste texts into paths. */
export const paramCharsMax = 2_000;

/** Of routes added from now on, by path. */
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

/** `/tx/:hash.json`: `/tx/`, any text, `.json`. */
function patternOf(url: string): RegExp {
  const fixed = url.split(/:\w+/).map((text) => text.replace(/[^\w/-]/g, "\\$&"));
  return new RegExp(`^${fixed.join(`[^/]{0,${paramCharsMax}}`)}$`);
}
