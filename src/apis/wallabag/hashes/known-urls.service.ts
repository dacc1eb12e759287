import { Injectable } from '@nestjs/common';

import type { Principal } from '../../../auth/consumers/principal.js';
import { normalAddress, withRoute } from '../../../reading-list/list/address.js';
import { candidateIds } from '../../../reading-list/list/list-state.js';
import { EntryRepository } from '../entries/entry.repository.js';
import { type AddressedItem, UrlHashRepository } from './url-hash.repository.js';
import { UrlHashes } from './url-hashes.service.js';

/**
 * Returns true if the item can be found by its URL after redirects. Some web applications identify
 * a page by the fragment of the saved URL. The URL after redirects lacks this fragment, so the
 * result is false.
 */
const isFoundByResolvedUrl = ({
  given_url: given,
  resolved_url: resolved,
}: AddressedItem): boolean => withRoute(resolved, given) === resolved;

type Numbers = ReadonlyMap<string, number>;

const HASH = /^[\da-f]{40}$/i;

/** Finds entries by URLs or by hashes of URLs. */
@Injectable()
export class KnownUrls {
  constructor(
    private readonly entries: EntryRepository,
    private readonly urls: UrlHashRepository,
    private readonly hashes: UrlHashes,
  ) {}

  /**
   * Maps each URL to the numeric id of the entry that was saved with the URL, or whose page was redirected to the URL.
   * Leaves out URLs without an entry.
   */
  async byUrl({ userId }: Principal, urls: readonly string[]): Promise<Numbers> {
    const saved = await this.savedUnder(userId, urls);
    const others = urls.filter((url) => !saved.has(url));
    const found = others.length === 0 ? [] : await this.urls.itemsResolvedTo(userId, others);
    return new Map([
      ...found.filter(isFoundByResolvedUrl).map((row) => [row.resolved_url, row.number] as const),
      ...saved,
    ]);
  }

  /** Maps each URL hash, in upper or lower case, to the numeric id of its entry. Leaves out hashes without an entry. */
  async byHash(principal: Principal, hashes: readonly string[]): Promise<Numbers> {
    const asked = hashes.filter((hash) => HASH.test(hash));
    const found =
      asked.length === 0
        ? new Map<string, number>()
        : await this.hashes.find(
            principal,
            asked.map((hash) => hash.toLowerCase()),
          );
    return new Map(
      asked.flatMap((hash) => {
        const number = found.get(hash.toLowerCase());
        return number === undefined ? [] : [[hash, number] as const];
      }),
    );
  }

  private async savedUnder(userId: string, urls: readonly string[]): Promise<Numbers> {
    const addresses = urls.flatMap((url) => {
      const address = normalAddress(url);
      return address === undefined ? [] : [{ url, address }];
    });
    const ids = new Set(addresses.flatMap(candidateIds));
    const rows = await this.entries.byItemIds(userId, [...ids]);
    const numbers = new Map(
      rows.map((row) => [normalAddress(row.given_url)?.normalUrl, row.number] as const),
    );
    return new Map(
      addresses.flatMap(({ url, address }) => {
        const number = numbers.get(address.normalUrl);
        return number === undefined ? [] : [[url, number] as const];
      }),
    );
  }
}
