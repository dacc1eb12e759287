import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

import { PayloadTooLargeException } from '@nestjs/common';
import pLimit from 'p-limit';

import { MalformedBodyError } from '../common/common.errors.js';

/** Bodies that are inflated at the same time; others wait, small as they came. */
export const AT_ONCE = 2;
const inTurn = pLimit(AT_ONCE);
/** Four times that of Node: each piece costs a way to the thread pool and back. */
const CHUNK_BYTES = 64 * 1024;

/** Makes bytes of an encoding what they were before. */
export type Inflate = (
  bytes: Buffer,
  options: { readonly maxOutputLength: number; readonly chunkSize: number },
) => Promise<Buffer>;

const INFLATERS: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** What inflates a body of the encoding that `Content-Encoding` names; undefined for any other. */
export const inflaterOf = (encoding = ''): Inflate | undefined =>
  INFLATERS.get(encoding.toLowerCase());

/** A body that has come whole, of at most `limit` bytes. Throws MalformedBodyError and PayloadTooLargeException. */
export async function inflated(bytes: Buffer, inflate: Inflate, limit: number): Promise<Buffer> {
  try {
    return await inTurn(() => inflate(bytes, { maxOutputLength: limit, chunkSize: CHUNK_BYTES }));
  } catch (error) {
    // No `instanceof Error`: Node makes its own outside the context that a test runs in.
    const isTooLarge =
      typeof error === 'object' &&
      error !== null &&
      Reflect.get(error, 'code') === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? new PayloadTooLargeException()
      : new MalformedBodyError('The body is not in the encoding that it names.');
  }
}
