import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

import { PayloadTooLargeException } from '@nestjs/common';
import pLimit from 'p-limit';

import { MalformedBodyError } from '../common/common.errors.js';

/**
 * The maximum number of bodies that are inflated at the same time. Other bodies wait in compressed form, which needs
 * less memory.
 */
export const AT_ONCE = 2;
const inTurn = pLimit(AT_ONCE);
/** The size of a chunk, which is four times the default of Node. Each chunk costs a round trip to the thread pool. */
const CHUNK_BYTES = 64 * 1024;

/** Decompresses bytes. */
export type Inflate = (
  bytes: Buffer,
  options: { readonly maxOutputLength: number; readonly chunkSize: number },
) => Promise<Buffer>;

const INFLATERS: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * Returns the function that inflates a body with the given `Content-Encoding`. Returns undefined for an unsupported
 * encoding.
 */
export const inflaterOf = (encoding = ''): Inflate | undefined =>
  INFLATERS.get(encoding.toLowerCase());

/**
 * Inflates a complete body to at most `limit` bytes.
 *
 * @throws MalformedBodyError if the bytes are invalid in the encoding
 * @throws PayloadTooLargeException if the result is larger than `limit`
 */
export async function inflated(bytes: Buffer, inflate: Inflate, limit: number): Promise<Buffer> {
  try {
    return await inTurn(() => inflate(bytes, { maxOutputLength: limit, chunkSize: CHUNK_BYTES }));
  } catch (error) {
    // Does not use `instanceof Error`, because Node creates its errors outside the context of a test.
    const isTooLarge =
      typeof error === 'object' &&
      error !== null &&
      Reflect.get(error, 'code') === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? new PayloadTooLargeException()
      : new MalformedBodyError('The body is not in the encoding that it names.');
  }
}
