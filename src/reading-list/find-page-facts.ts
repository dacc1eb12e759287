import type { EntityManager } from 'typeorm';

import { run } from '../database/statements.js';
import { domainIdOf } from './list/domain-id.js';
import type { ItemRow } from './list/item-row.js';
import type { PageFacts } from './page-facts.js';

/** As JSON keeps them; what an item or the time of reading says stands elsewhere. */
export interface StoredFacts extends Omit<
  PageFacts,
  'normalUrl' | 'originDomainId' | 'dateResolved' | 'datePublished' | 'timeFirstParsed'
> {
  /** ISO 8601 in UTC. */
  readonly datePublished: string | null;
}

interface FactsRow {
  readonly facts: StoredFacts;
  readonly fetched_at: Date;
  readonly first_fetched_at: Date;
}

const FACTS = `
    SELECT content->'facts' AS facts, fetched_at, first_fetched_at FROM pages WHERE page_id = $1 AND content IS NOT NULL`;

/** What add tells of the page behind an item; undefined until it was read. */
export async function findPageFacts(
  manager: EntityManager,
  { resolved_id: pageId, given_url: givenUrl }: ItemRow,
): Promise<PageFacts | undefined> {
  const [row] = await run<FactsRow>(manager, { text: FACTS, values: [pageId] });
  return (
    row && {
      ...row.facts,
      normalUrl: givenUrl,
      originDomainId: domainIdOf(givenUrl),
      datePublished: row.facts.datePublished === null ? null : new Date(row.facts.datePublished),
      dateResolved: row.fetched_at,
      timeFirstParsed: row.first_fetched_at,
    }
  );
}
