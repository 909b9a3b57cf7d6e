import type { BlockCalendar } from "../../kernel/block-calendar.ts";
import type { Labels } from "../../model/label.ts";
import { ConfigError } from "../settings/config.ts";

/** For the search of payments. Throws ConfigError without a label file. */
export function blockTimesOf({ calendar: { blocks } }: Pick<Labels, "calendar">): BlockCalendar {
  if (blocks !== null) return blocks;
  throw new ConfigError([
    "LABELS_DIR: no file says when blocks are made (`block_times`), and payments are searched by it.",
  ]);
}
