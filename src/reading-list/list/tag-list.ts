import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';

const NAMES = `
  SELECT list.tags_stamp,
         ARRAY(SELECT name FROM tags WHERE user_id = list.user_id AND item_count > 0 ORDER BY name) AS names
  FROM lists list WHERE list.user_id = $1`;

/** The tags of one user. */
export class TagList {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
  ) {}

  /** The names in order; undefined when none came, went or was renamed after the stamp. */
  async names(changedSince = 0): Promise<string[] | undefined> {
    const [row] = await run<{ tags_stamp: string; names: string[] }>(this.manager, {
      text: NAMES,
      values: [this.userId],
    });
    if (row === undefined) {
      return changedSince === 0 ? [] : undefined;
    }
    return changedSince === 0 || Number(row.tags_stamp) > changedSince ? row.names : undefined;
  }
}
