/** The answer of stats (docs/api/stats.md). */
export interface WireStats {
  readonly count_list: number;
  readonly count_read: number;
  readonly count_unread: number;
  readonly status: 1;
}

/** The first bit of a facet is the state (facet.ts). */
const ARCHIVED = 1;

/** Counts a list by the counters in its head, which are exact; nothing is read for it. */
export function presentStats({
  item_count: all,
  facet_counts: counters,
}: {
  readonly item_count: number;
  readonly facet_counts: string;
}): WireStats {
  const read = counters
    .split(',')
    .reduce((sum, count, facet) => sum + ((facet & ARCHIVED) === 0 ? 0 : Number(count)), 0);
  return { count_list: all, count_read: read, count_unread: all - read, status: 1 };
}
