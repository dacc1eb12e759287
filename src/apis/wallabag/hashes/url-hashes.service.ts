import { Injectable } from '@nestjs/common';

import type { Principal } from '../../../auth/consumers/principal.js';
import { yieldToOthers } from '../../../lib/util/event-loop.js';
import { sha1, urlDecoded, urlOf } from '../entries/entry-addresses.js';
import {
  type AddressedItem,
  type HashedTo,
  type KeptHash,
  UrlHashRepository,
} from './url-hash.repository.js';

/** The number of items whose URLs are hashed in one batch. */
const BATCH = 2000;
/** The largest value of the type bigint, which is greater than every id. */
const LAST_ID = '9223372036854775807';

/**
 * Finds items by hashes of their URLs. URLs are not hashed when an item is saved, because saving
 * would become slower. Instead, the URLs of changed items are hashed when a client looks up a hash.
 */
@Injectable()
export class UrlHashes {
  private readonly filling = new Map<string, Promise<void>>();

  constructor(private readonly repository: UrlHashRepository) {}

  /**
   * Maps each hash (40 hexadecimal digits in lower case) to the numeric id of its entry. Leaves out hashes without an
   * entry.
   */
  async find(
    { userId, list }: Principal,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    await this.upTo(userId, list.version);
    const kept = new Set(hashes.map((hash) => keptHash(Buffer.from(hash, 'hex'))));
    const items = await this.repository.itemsWith(userId, [...kept]);
    const found = new Map<string, number>();
    const asked = new Set(hashes);
    for (const item of items) {
      for (const hash of hashesOf(item).map((one) => one.toString('hex'))) {
        if (asked.has(hash)) {
          found.set(hash, Math.max(item.number, found.get(hash) ?? 0));
        }
      }
    }
    return found;
  }

  /**
   * Hashes the URLs of items that have changed since the last run, up to a version of the list. If
   * a run is already in progress for the list, waits for its end and then starts another run. All
   * waiting calls share this second run.
   */
  private async upTo(userId: string, version: number): Promise<void> {
    const before = this.filling.get(userId);
    if (before !== undefined) {
      await before.catch(() => undefined);
    }
    const begun = this.filling.get(userId);
    const work = begun ?? this.fill(userId, version).finally(() => this.filling.delete(userId));
    this.filling.set(userId, work);
    await work;
  }

  private async fill(userId: string, version: number): Promise<void> {
    let to: HashedTo = await this.repository.hashedTo(userId);
    while (Number(to.version) < version || to.itemId !== LAST_ID) {
      const items = await this.repository.behind(userId, to, BATCH);
      const last = items.at(-1);
      const isEnd = items.length < BATCH;
      // An item that is committed after this query gets a version greater than `end`, so the next
      // run hashes its URLs.
      const end = Math.max(version, Number(last?.version ?? to.version));
      to = isEnd || last === undefined ? { version: String(end), itemId: LAST_ID } : last;
      await this.repository.add(userId, await keptHashesOf(items), to);
      if (isEnd) {
        return;
      }
    }
  }
}

async function keptHashesOf(items: readonly AddressedItem[]): Promise<KeptHash[]> {
  const kept: KeptHash[] = [];
  for (const item of items) {
    const { itemId } = item;
    const hashes = new Set(hashesOf(item).map(keptHash));
    kept.push(...[...hashes].map((hash) => ({ hash, itemId })));
    await yieldToOthers();
  }
  return kept;
}

const keptHash = (hash: Buffer): string => String(hash.readBigInt64BE());

/**
 * Returns the hashes of an item's URLs, unchanged and decoded. Clients hash a URL unchanged, but wallabag's server
 * first decodes the URL as PHP does.
 */
const hashesOf = (item: AddressedItem): Buffer[] => {
  const urls = new Set([item.given_url, urlOf(item)]);
  return [...urls].flatMap((url) =>
    /[%+]/.test(url) ? [sha1(url), sha1(urlDecoded(url))] : [sha1(url)],
  );
};
