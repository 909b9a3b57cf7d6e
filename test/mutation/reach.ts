import { createHash } from "node:crypto";
import { basename, dirname, extname, join } from "node:path/posix";
import { inspect } from "../support/source-files.ts";

/** The files that one file reaches directly: those that it imports, and those that it names as texts and may start as processes. */
export interface Links {
  imports: string[];
  named: string[];
  /** It starts programs. */
  starts: boolean;
}

/** Links by path and text, kept between runs: parsing all files takes seconds. */
export type LinkMemory = Record<string, Links & { hash: string }>;

/** A test file that reaches a changed one. */
export interface NearTest {
  path: string;
  /** Steps of imports between the two. */
  steps: number;
  /** In the folder of tests that has the name of the room. */
  sameRoom: boolean;
  /** Whether the test starts processes, so that only there the change can be seen. */
  process: boolean;
}

/** Test files by the source files that they reach. */
export class Reach {
  readonly #links: ReadonlyMap<string, Links>;
  readonly #from = new Map<string, ReadonlyMap<string, { steps: number; process: boolean }>>();

  /** `texts`: every file of src and test, by path. `memory` is updated. */
  constructor(texts: ReadonlyMap<string, string>, memory: LinkMemory) {
    for (const path of Object.keys(memory)) if (!texts.has(path)) delete memory[path];
    this.#links = new Map([...texts].map(([path, text]) => [path, linksOf(path, text, memory)]));
    for (const path of texts.keys()) if (path.endsWith(".test.ts")) this.#from.set(path, this.#walk(path));
  }

  /**
   * Tests that reach a file, the nearest first: those without processes, then those of the same room, those of its name, those with few
   * imports between.
   */
  testsOf(path: string): NearTest[] {
    const room = roomOf(path);
    const named = `/${basename(path, extname(path))}.test.ts`;
    return [...this.#from]
      .flatMap(([test, reached]) => {
        const way = reached.get(path);
        return way === undefined ? [] : [{ path: test, sameRoom: roomOf(test) === room, ...way }];
      })
      .sort(
        (a, b) =>
          Number(a.process) - Number(b.process) ||
          Number(b.sameRoom) - Number(a.sameRoom) ||
          Number(b.path.endsWith(named)) - Number(a.path.endsWith(named)) ||
          a.steps - b.steps ||
          (a.path < b.path ? -1 : 1),
      );
  }

  #walk(test: string): ReadonlyMap<string, { steps: number; process: boolean }> {
    const reached = new Map([[test, { steps: 0, process: false }]]);
    const started: string[] = [];
    const follow = (queue: string[], process: boolean) => {
      for (const path of queue) {
        const { steps } = reached.get(path) as { steps: number };
        const links = this.#links.get(path);
        // Product code that names a file beside it runs it in a thread of its own.
        if (!path.startsWith("src/")) started.push(...(links?.named ?? []));
        for (const to of [...(links?.imports ?? []), ...(path.startsWith("src/") ? (links?.named ?? []) : [])]) {
          if (reached.has(to)) continue;
          reached.set(to, { steps: steps + 1, process });
          queue.push(to);
        }
      }
    };
    follow([test], false);
    const starts = [...reached.keys()].some((path) => !path.startsWith("src/") && this.#links.get(path)?.starts);
    if (starts) for (const way of reached.values()) way.process = true;
    const apart = started.filter((path) => !reached.has(path) && this.#links.has(path));
    for (const path of apart) reached.set(path, { steps: 10, process: true });
    follow(apart, true);
    return reached;
  }
}

function linksOf(path: string, text: string, memory: LinkMemory): Links {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const known = memory[path];
  if (known?.hash === hash) return known;
  const named = [...text.matchAll(/["'`]((?:src|test)\/[\w./-]+\.[jt]s)["'`]/g)].map(([, name = ""]) => name);
  const beside = [...text.matchAll(/["'`](\.[\w./-]+\.[jt]s)["'`]/g)].map(([, name = ""]) => join(dirname(path), name));
  const links = {
    hash,
    imports: inspect(path, text).imports,
    starts: /"node:child_process"/.test(text),
    named: [...new Set([...named, ...beside])],
  };
  memory[path] = links;
  return links;
}

/** The house of a file, or its room in the house: `engine/settle`. */
function roomOf(path: string): string {
  return path.split("/").slice(1, -1).slice(0, 2).join("/");
}
