import type { EntityManager } from 'typeorm';

import type { ItemRow } from '../entities/item.entity.js';
import { domainIdOf } from '../list/address.js';
import { pageKeyOf } from '../pages/page-requests.js';

/** Properties of an item's page that are not stored in the row of the item. */
export interface PageFacts {
  readonly normalUrl: string;
  readonly resolvedNormalUrl: string;
  /** The id of the page's registrable domain, as decimal text. */
  readonly domainId: string;
  readonly originDomainId: string;
  readonly responseCode: number;
  readonly mimeType: string;
  readonly contentLength: number;
  readonly encoding: string;
  readonly dateResolved: Date | null;
  readonly datePublished: Date | null;
  readonly timeFirstParsed: Date | null;
  /** True if the URL redirects to another URL of the same registrable domain. */
  readonly isInnerDomainRedirect: boolean;
  readonly isLoginRequired: boolean;
  readonly usedFallback: boolean;
}

/** Returns the properties of a page that was never fetched. */
export const unknownPage = (givenUrl: string): PageFacts => ({
  normalUrl: givenUrl,
  resolvedNormalUrl: givenUrl,
  domainId: '0',
  originDomainId: '0',
  responseCode: 0,
  mimeType: '',
  contentLength: 0,
  encoding: '',
  dateResolved: null,
  datePublished: null,
  timeFirstParsed: null,
  isInnerDomainRedirect: false,
  isLoginRequired: false,
  usedFallback: false,
});

/**
 * The properties of a page that are stored as one JSON value. The omitted properties come from the rows of the item and
 * of the page.
 */
export interface StoredFacts extends Omit<
  PageFacts,
  'normalUrl' | 'originDomainId' | 'dateResolved' | 'datePublished' | 'timeFirstParsed'
> {
  /** The date of publication in ISO 8601 format and UTC. */
  readonly datePublished: string | null;
}

interface FactsRow {
  readonly facts: StoredFacts;
  readonly fetched_at: Date;
  readonly first_fetched_at: Date;
}

/**
 * Returns the properties of an item's page, as `/v3/add` shows them. Returns undefined if the page was never fetched,
 * unless the last attempt shows that it requires a login.
 */
export async function findPageFacts(
  manager: EntityManager,
  { resolved_id: pageId, given_url: givenUrl }: ItemRow,
): Promise<PageFacts | undefined> {
  const row = await manager
    .createQueryBuilder()
    .select("content->'facts'", 'facts')
    .addSelect(['fetched_at', 'first_fetched_at'])
    .from('pages', 'page')
    .where('page_id = :pageId AND content IS NOT NULL', { pageId })
    .getRawOne<FactsRow>();
  return row === undefined
    ? factsOfFailure(manager, givenUrl)
    : {
        ...row.facts,
        normalUrl: givenUrl,
        originDomainId: domainIdOf(givenUrl),
        datePublished: row.facts.datePublished === null ? null : new Date(row.facts.datePublished),
        dateResolved: row.fetched_at,
        timeFirstParsed: row.first_fetched_at,
      };
}

/** The end of the reason of a failure if the server has sent a page that offers a login. */
export const LOGIN = ': login';
/** Matches the reasons of failures that a login would avoid. */
const NEEDS_LOGIN = new RegExp(`^status (?:401|402|403${LOGIN})$`);

/** Returns the properties of a page that was not fetched because it requires a login. */
async function factsOfFailure(
  manager: EntityManager,
  givenUrl: string,
): Promise<PageFacts | undefined> {
  const row = await manager
    .createQueryBuilder()
    .select('failure')
    .from('pages', 'page')
    .where('page_key = :key AND failure IS NOT NULL', { key: pageKeyOf(givenUrl) })
    .getRawOne<{ failure: string }>();
  return row !== undefined && NEEDS_LOGIN.test(row.failure)
    ? { ...unknownPage(givenUrl), isLoginRequired: true }
    : undefined;
}
