import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { defined } from '../../lib/util/defined.js';
import type { ItemDetails } from '../entities/item-details.entity.js';
import { hostOf } from '../list/address.js';
import { authorAt } from './authors.js';
import type { PageDetails } from './page-details.js';

/** The stored details of one item. */
export type StoredDetails = Omit<ItemDetails, 'userId' | 'item'>;

/** Changes to the details of an item. An absent property changes nothing. */
export interface DetailChanges extends PageDetails {
  /** True creates the random name of a public link. False removes the name. */
  readonly isPublic?: boolean;
}

/** The size of the random name of a public link. With 128 bits, the name cannot be guessed. */
const UID_BYTES = 16;

const newUid = (): string => randomBytes(UID_BYTES).toString('hex');

const NO_DETAILS = {
  originUrl: null,
  publishedAt: null,
  authors: null,
  language: null,
  previewPicture: null,
  uid: null,
} as const;

/** An item whose page has details. */
interface DescribedItem {
  readonly itemId: string;
  readonly givenUrl: string;
}

/** The details of the items that a batch touches. */
export class TrackedDetails {
  private readonly current: Map<string, StoredDetails>;
  private readonly changed = new Set<string>();

  constructor(stored: readonly StoredDetails[]) {
    this.current = new Map(stored.map((details) => [details.itemId, details]));
  }

  of(itemId: string): StoredDetails | undefined {
    return this.current.get(itemId);
  }

  /** Returns the details after the changes, without storing them. Returns undefined if the changes have no effect. */
  after({ itemId, givenUrl }: DescribedItem, changes: DetailChanges): StoredDetails | undefined {
    const before = this.current.get(itemId) ?? { ...NO_DETAILS, itemId };
    const after = withChanges(before, changes, givenUrl);
    return isDeepStrictEqual(before, after) ? undefined : after;
  }

  set(details: StoredDetails): void {
    this.current.set(details.itemId, details);
    this.changed.add(details.itemId);
  }

  /** Drops the details of an item that is deleted. */
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
  { originUrl, publishedAt, authors, language, previewPicture, isPublic }: DetailChanges,
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
    uid: uidAfter(before.uid, isPublic),
  };
}

/** Returns the name of the public link. An item that is already public keeps its link. */
function uidAfter(uid: string | null, isPublic: boolean | undefined): string | null {
  if (isPublic === undefined) {
    return uid;
  }
  return isPublic ? (uid ?? newUid()) : null;
}

/** Returns the details in a file that the item lacks. Stored details win over those of a file. */
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
