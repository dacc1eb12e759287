import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { Config } from '../../platform/config/config.js';
import type { ItemsFound } from '../query/items-wanted.js';

const MEGABYTE = 1_000_000;
/** One answer takes a sixteenth of the room at most: whole libraries are asked for once. */
const LARGEST = 16;
/** Bytes that an answer takes beside its texts; many are hardly longer. */
const BESIDE = 500;

/** An answer as JSON, the version of the list that it shows, and where it ended in it. */
interface CachedResponse extends Pick<ItemsFound, 'version' | 'total' | 'size' | 'end'> {
  readonly json: Buffer;
}

/**
 * The answers that were used last, in memory: a client that asks the same again while the list has the same version
 * gets the same (docs/decisions/0025).
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

  /** The answer to the request, if it was cached of the list at this version; the key names the user. */
  find(key: string, version: number): CachedResponse | undefined {
    const cached = this.answers?.get(key);
    return cached?.version === version ? cached : undefined;
  }

  store(key: string, answer: CachedResponse): void {
    this.answers?.set(key, { ...answer, json: inOwnMemory(answer.json) });
  }
}

/** Small buffers are slices of 8 KB that they share: one that is cached would hold them all. */
function inOwnMemory(json: Buffer): Buffer {
  if (json.buffer.byteLength === json.byteLength) {
    return json;
  }
  const own = Buffer.allocUnsafeSlow(json.byteLength);
  json.copy(own);
  return own;
}

/** V8 may take two bytes for a character of the question. */
const sizeOf = ({ json }: CachedResponse, question: string): number =>
  json.byteLength + 2 * question.length + BESIDE;
