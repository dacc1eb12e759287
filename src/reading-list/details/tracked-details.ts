import { isDeepStrictEqual } from 'node:util';

import { defined } from '../../lib/util/defined.js';
import type { ItemDetails } from '../entities/item-details.entity.js';
import { hostOf } from '../list/address.js';
import { authorAt } from './authors.js';
import type { PageDetails } from './page-details.js';

/** The stored data about the page of one item. */
export type StoredDetails = Omit<ItemDetails, 'userId' | 'item' | 'uid'>;

/** Data about a page without any value. */
export const NO_DETAILS = {
  originUrl: null,
  publishedAt: null,
  authors: null,
  language: null,
  previewPicture: null,
} as const;

/** An item with data about its page. */
interface DescribedItem {
  readonly itemId: string;
  readonly givenUrl: string;
}

/** The data about the pages of the items in one batch of changes. */
export class TrackedDetails {
  private readonly current: Map<string, StoredDetails>;
  private readonly changed = new Set<string>();

  constructor(stored: readonly StoredDetails[]) {
    this.current = new Map(stored.map((details) => [details.itemId, details]));
  }

  of(itemId: string): StoredDetails | undefined {
    return this.current.get(itemId);
  }

  /**
   * Returns the data about the page after the changes, without storing them. Returns undefined if the changes have no
   * effect.
   */
  after({ itemId, givenUrl }: DescribedItem, changes: PageDetails): StoredDetails | undefined {
    if (Object.keys(changes).length === 0) {
      return undefined;
    }
    const before = this.current.get(itemId) ?? { ...NO_DETAILS, itemId };
    const after = withChanges(before, changes, givenUrl);
    return isDeepStrictEqual(before, after) ? undefined : after;
  }

  set(details: StoredDetails): void {
    this.current.set(details.itemId, details);
    this.changed.add(details.itemId);
  }

  /** Forgets the data about the page of a deleted item. */
  forget(itemId: string): void {
    this.current.delete(itemId);
    this.changed.delete(itemId);
  }

  changes(): readonly StoredDetails[] {
    return [...this.changed].flatMap((itemId) => this.current.get(itemId) ?? []);
  }
}

function withChanges(
  before: StoredDetails,
  { originUrl, publishedAt, authors, language, previewPicture }: PageDetails,
  givenUrl: string,
): StoredDetails {
  const host = hostOf(givenUrl) ?? '';
  return {
    itemId: before.itemId,
    originUrl: originUrl ?? before.originUrl,
    publishedAt: publishedAt === undefined ? before.publishedAt : String(publishedAt),
    authors: authors?.map((name) => authorAt(host, name)) ?? before.authors,
    language: language ?? before.language,
    previewPicture: previewPicture ?? before.previewPicture,
  };
}

/** Returns the data about a page from an imported file, without values that are already stored for the item. */
export function missingDetails(
  stored: StoredDetails | undefined,
  said: PageDetails = {},
): PageDetails {
  const there = stored ?? NO_DETAILS;
  return defined<PageDetails>({
    originUrl: unless(there.originUrl, said.originUrl),
    publishedAt: unless(there.publishedAt, said.publishedAt),
    authors: unless(there.authors, said.authors),
    language: unless(there.language, said.language),
    previewPicture: unless(there.previewPicture, said.previewPicture),
  });
}

const unless = <T>(there: unknown, said: T): T | undefined => (there === null ? said : undefined);
