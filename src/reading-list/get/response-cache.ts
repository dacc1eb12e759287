import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { Config } from '../../platform/config/config.js';
import { CACHE_BYTES, CACHE_LOOKUPS, cacheTally } from '../../platform/metrics/cache-lookups.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import type { ItemsFound } from '../query/items-wanted.js';

const MEGABYTE = 1_000_000;
/**
 * The divisor for the maximum size of one cached response: a response may fill a sixteenth of the cache. Larger
 * responses contain whole libraries, which clients request only once.
 */
const LARGEST = 16;
/**
 * The memory that a cached response needs in addition to its JSON text, in bytes. It matters, because many JSON texts
 * are short.
 */
const BESIDE = 500;

/** A response as JSON, with the version of the list and the position of the last row. */
interface CachedResponse extends Pick<ItemsFound, 'version' | 'total' | 'size' | 'end'> {
  readonly json: Buffer;
}

/**
 * Caches the most recently used responses in memory. While the list has the same version, a repeated call gets the same
 * response (docs/decisions/0025).
 */
@Injectable()
export class ResponseCache {
  private readonly lookups = cacheTally();
  private readonly answers: LRUCache<string, CachedResponse> | undefined;

  constructor({ answerCacheMegabytes }: Config) {
    const maxSize = answerCacheMegabytes * MEGABYTE;
    if (maxSize > 0) {
      const maxEntrySize = maxSize / LARGEST;
      this.answers = new LRUCache({ maxSize, maxEntrySize, sizeCalculation: sizeOf });
    }
  }

  /**
   * Returns the cached response if it was created for this version of the list. The key must contain the id of the
   * user.
   */
  find(key: string, version: number): CachedResponse | undefined {
    const cached = this.answers?.get(key);
    const isHit = cached?.version === version;
    this.lookups.add(isHit ? 'hit' : 'miss');
    return isHit ? cached : undefined;
  }

  @Metric(CACHE_LOOKUPS)
  lookupCounts(): readonly Sample[] {
    return this.lookups.samples('result', { cache: 'responses' });
  }

  @Metric(CACHE_BYTES)
  bytes(): readonly Sample[] {
    return [{ labels: { cache: 'responses' }, value: this.answers?.calculatedSize ?? 0 }];
  }

  store(key: string, answer: CachedResponse): void {
    this.answers?.set(key, { ...answer, json: inOwnMemory(answer.json) });
  }
}

/**
 * Copies a small buffer before it is cached. Small buffers share a pool of 8 KB, so a cached buffer would keep the
 * whole pool in memory.
 */
function inOwnMemory(json: Buffer): Buffer {
  if (json.buffer.byteLength === json.byteLength) {
    return json;
  }
  const own = Buffer.allocUnsafeSlow(json.byteLength);
  json.copy(own);
  return own;
}

/** Returns the size of a cached response in bytes. V8 may need two bytes per character of the key. */
const sizeOf = ({ json }: CachedResponse, question: string): number =>
  json.byteLength + 2 * question.length + BESIDE;
