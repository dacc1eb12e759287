import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { Config } from '../../platform/config/config.js';
import type { ItemsFound } from '../query/items-wanted.js';

const MEGABYTE = 1_000_000;
/** One answer takes at most a sixteenth of the cache, since whole libraries are requested only once. */
const LARGEST = 16;
/** The overhead of a cached answer in bytes. Many answers are hardly longer. */
const BESIDE = 500;

/** An answer as JSON, with the list version that it shows and the position of its end. */
interface CachedResponse extends Pick<ItemsFound, 'version' | 'total' | 'size' | 'end'> {
  readonly json: Buffer;
}

/**
 * The most recently used answers, in memory. A repeated call gets the same answer while the list has the same version
 * (docs/decisions/0025).
 */
@Injectable()
export class ResponseCache {
  private readonly answers: LRUCache<string, CachedResponse> | undefined;

  constructor({ answerCacheMegabytes }: Config) {
    const maxSize = answerCacheMegabytes * MEGABYTE;
    if (maxSize > 0) {
      const maxEntrySize = maxSize / LARGEST;
      this.answers = new LRUCache({ maxSize, maxEntrySize, sizeCalculation: sizeOf });
    }
  }

  /** Returns the cached answer if it shows the list at this version. The key contains the user. */
  find(key: string, version: number): CachedResponse | undefined {
    const cached = this.answers?.get(key);
    return cached?.version === version ? cached : undefined;
  }

  store(key: string, answer: CachedResponse): void {
    this.answers?.set(key, { ...answer, json: inOwnMemory(answer.json) });
  }
}

/** Copies small buffers: they share a pool of 8 KB, and a cached one would keep the whole pool in memory. */
function inOwnMemory(json: Buffer): Buffer {
  if (json.buffer.byteLength === json.byteLength) {
    return json;
  }
  const own = Buffer.allocUnsafeSlow(json.byteLength);
  json.copy(own);
  return own;
}

/** V8 may need two bytes per character of the key. */
const sizeOf = ({ json }: CachedResponse, question: string): number =>
  json.byteLength + 2 * question.length + BESIDE;
