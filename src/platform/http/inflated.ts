import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

import { PayloadTooLargeException } from '@nestjs/common';
import pLimit from 'p-limit';

import { MalformedBodyError } from '../common/common.errors.js';

/**
 * The maximum number of bodies that are decompressed in parallel. Other bodies wait in compressed form, which needs
 * less memory.
 */
export const AT_ONCE = 2;
const inTurn = pLimit(AT_ONCE);
/**
 * The number of bytes that are decompressed in one step, four times Node's default. Each step costs a round trip to the
 * thread pool.
 */
const CHUNK_BYTES = 64 * 1024;

/** Decompresses a complete body. Rejects if the result is larger than `maxOutputLength`. */
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
 * Returns the function that decompresses a body with the given `Content-Encoding`. Returns undefined for an unsupported
 * encoding.
 */
export const inflaterOf = (encoding = ''): Inflate | undefined =>
  INFLATERS.get(encoding.toLowerCase());

/**
 * Decompresses a complete body to at most `limit` bytes.
 *
 * @throws MalformedBodyError if the compressed bytes are invalid
 * @throws PayloadTooLargeException if the result is larger than `limit`
 */
export async function inflated(bytes: Buffer, inflate: Inflate, limit: number): Promise<Buffer> {
  try {
    return await inTurn(() => inflate(bytes, { maxOutputLength: limit, chunkSize: CHUNK_BYTES }));
  } catch (error) {
    // `instanceof Error` would not work in tests, because Node creates its errors outside the context of a test.
    const isTooLarge =
      typeof error === 'object' &&
      error !== null &&
      Reflect.get(error, 'code') === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? new PayloadTooLargeException()
      : new MalformedBodyError('The body is not in the encoding that it names.');
  }
}
