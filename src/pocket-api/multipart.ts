import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream/promises';

import busboy from 'busboy';

import { DomainError, MalformedBodyError, TooManyError } from '../platform/common/common.errors.js';
import type { Pair } from './form.js';

/**
 * The maximum number of parts of a multipart body. Clients need far fewer: one part contains all actions of a call, and
 * the API has only thirty other parameters.
 */
const MAX_PARTS = 1000;
/**
 * The number of bytes that are parsed in one step. If the parser rejects the bytes of one step, the remaining bytes are
 * not parsed.
 */
const PIECE = 64 * 1024;

/** Parses the fields of a complete multipart body. Rejects files, because no endpoint of the v3 API accepts them. */
export async function multipartPairs(bytes: Buffer, contentType: string): Promise<readonly Pair[]> {
  if (!isUtf8(bytes)) {
    throw new MalformedBodyError('The body is not valid UTF-8.');
  }
  const pairs: Pair[] = [];
  const parser = parserOf(contentType, bytes.length)
    .on('field', (name, value) => pairs.push([name, value]))
    .on('file', (_name, file) => {
      file.on('error', () => undefined);
      parser.destroy(new MalformedBodyError('Files are not accepted.'));
    })
    .on('partsLimit', () => {
      parser.destroy(new TooManyError('parts', MAX_PARTS));
    });
  try {
    await pipeline(piecesOf(bytes), parser);
  } catch (error) {
    throw error instanceof DomainError
      ? error
      : new MalformedBodyError('The multipart body is malformed.');
  }
  return pairs;
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE);
  }
}

function parserOf(contentType: string, fieldSize: number): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      limits: { parts: MAX_PARTS + 1, fieldSize },
    });
  } catch {
    throw new MalformedBodyError('The multipart body has no boundary.');
  }
}
