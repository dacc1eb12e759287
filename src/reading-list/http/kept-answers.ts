import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { Config } from '../../config/config.js';

const MEGABYTE = 1_000_000;
/** One answer takes a sixteenth of the room at most: whole libraries are asked for once. */
const LARGEST = 16;
/** Bytes that an answer takes beside its texts; many are hardly longer. */
const BESIDE = 500;

/** An answer as JSON, and the stamp of the list that it shows. */
export interface KeptAnswer {
  readonly stamp: number;
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
  find(question: string, stamp: number): Buffer | undefined {
    const kept = this.answers?.get(question);
    return kept?.stamp === stamp ? kept.json : undefined;
  }

  keep(question: string, { stamp, json }: KeptAnswer): void {
    this.answers?.set(question, { stamp, json: inOwnMemory(json) });
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
