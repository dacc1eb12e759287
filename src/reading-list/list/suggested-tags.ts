import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import { domainRange } from './domain-range.js';
import { tagId } from './tag-name.js';
import { titlePhrases } from './title-phrases.js';

/** What tags are suggested for. */
export interface Untagged {
  /** Left out of what is looked at; "0" for a page that is not saved. */
  readonly itemId: string;
  readonly domain: string;
  readonly titles: readonly string[];
  /** The tags it has already, by name. */
  readonly tags: readonly string[];
}

/** A tag of the person, and how well it fits, from 0 to 1. */
export interface SuggestedTag {
  readonly tag: string;
  readonly score: number;
}

/**
 * Up to a thousand items of the domain, as the index has them, which is as good as by chance within a host; their
 * rows only where the index says that they have tags. Then the tags of the person, once through their key.
 */
const SUGGEST = `
  WITH near AS MATERIALIZED (
    SELECT row.tags FROM (
      SELECT item_id, facet FROM items WHERE user_id = $1 AND site >= $2::text AND site < $3::text
      ORDER BY site, item_id LIMIT 1000) neighbour
    CROSS JOIN LATERAL (SELECT tags FROM items
      WHERE user_id = $1 AND item_id = neighbour.item_id OFFSET 0) row
    WHERE neighbour.facet & 4 = 4 AND neighbour.item_id <> $4::bigint
  ), shares AS (
    SELECT name, count(*)::float8 / (SELECT count(*) FROM near) AS share FROM near, unnest(tags) name GROUP BY name
  )
  SELECT tag, round(score::numeric, 4)::float8 AS score FROM (
    SELECT tag.name AS tag, 0.6 * coalesce(share, 0) + CASE WHEN tag.tag_id = ANY ($5::bigint[]) THEN 0.3 ELSE 0 END
      + 0.1 * tag.item_count / (SELECT max(item_count)::float8 FROM tags WHERE user_id = $1) AS score
    FROM tags tag LEFT JOIN shares USING (name)
    WHERE tag.user_id = $1 AND tag.item_count > 0 AND tag.name <> ALL ($6::text[])
    ORDER BY score DESC, tag.name LIMIT 10) best
  ORDER BY best.score DESC, tag`;

/** The ten tags of the person that fit best (docs/api/suggested-tags.md). */
export function suggestTags(
  manager: EntityManager,
  userId: string,
  { itemId, domain, titles, tags }: Untagged,
): Promise<SuggestedTag[]> {
  const { from, below } = domainRange(domain);
  const named = titles.flatMap(titlePhrases).map(tagId);
  return run<SuggestedTag & Record<string, unknown>>(manager, {
    text: SUGGEST,
    values: [userId, from, below, itemId, named, tags],
  });
}
