import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { Config } from '../../config/config.js';
import type { ItemsFound } from '../list/items-found.js';

const MEGABYTE = 1_000_000;
/** One answer takes a sixteenth of the room at most: whole libraries are asked for once. */
const LARGEST = 16;
/** Bytes that an answer takes beside its texts; many are hardly longer. */
const BESIDE = 500;

/** An answer as JSON, the stamp of the list that it shows, and where it ended in it. */
export interface KeptAnswer extends Pick<ItemsFound, 'stamp' | 'total' | 'size' | 'end'> {
  readonly json: Buffer;
}

/**
 * The answers that were used last, in memory: whoever asks the same again while the list has the same stamp gets
 * the same (docs/decisions/0025).
 */
@Injectable()
export class KeptAnswers {
  private readonly answers: LRUCache<string, KeptAnswer> | undefined;

  constructor({ answerCacheMegabytes }: Config) {
    const maxSize = answerCacheMegabytes * MEGABYTE;
    if (maxSize > 0) {
      const maxEntrySize = maxSize / LARGEST;
      this.answers = new LRUCache({ maxSize, maxEntrySize, sizeCalculation: sizeOf });
    }
  }

  /** The answer to the question, if it was kept of the list as it is; the question names the user. */
  find(question: string, stamp: number): KeptAnswer | undefined {
    const kept = this.answers?.get(question);
    return kept?.stamp === stamp ? kept : undefined;
  }

  keep(question: string, answer: KeptAnswer): void {
    this.answers?.set(question, { ...answer, json: inOwnMemory(answer.json) });
  }
}

/** Small buffers are slices of 8 KB that they share: one that is kept would hold them all. */
function inOwnMemory(json: Buffer): Buffer {
  if (json.buffer.byteLength === json.byteLength) {
    return json;
  }
  const own = Buffer.allocUnsafeSlow(json.byteLength);
  json.copy(own);
  return own;
}

/** V8 may take two bytes for a character of the question. */
const sizeOf = ({ json }: KeptAnswer, question: string): number =>
  json.byteLength + 2 * question.length + BESIDE;
