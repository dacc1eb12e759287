import { pipeline, Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';

import { ResponseTooLongError, UnknownEncodingError } from './fetch-errors.js';

/** Options for decompressing as much as possible of an incomplete stream, as browsers do. */
const LENIENT = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

type Decoder = (encoded: Readable) => Readable;

// After an error in the source or in the decoder, `pipeline` destroys the decoder, so that its reader gets the error.
const through =
  (create: () => Transform): Decoder =>
  (encoded) =>
    pipeline(encoded, create(), () => undefined);

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: through(() => zlib.createGunzip(LENIENT)),
  'x-gzip': through(() => zlib.createGunzip(LENIENT)),
  deflate: (encoded) => Readable.from(inflated(encoded)),
  br: through(() => zlib.createBrotliDecompress(LENIENT_BROTLI)),
  ...zstd(),
};

/** The value of the Accept-Encoding header in requests for pages. */
export const ACCEPTED_ENCODINGS = Object.keys(DECODERS)
  .filter((name) => name !== 'x-gzip')
  .join(', ');

/**
 * Returns the decoded body as a stream. The stream fails if the encoded body has more than `maxWireBytes` bytes.
 *
 * @throws UnknownEncodingError if `contentEncoding` is unknown or contains several encodings
 */
export function decodedBody(
  body: Readable,
  contentEncoding: string | undefined,
  maxWireBytes: number,
): Readable {
  const name = contentEncoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') {
    return body;
  }
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (decode === undefined) {
    throw new UnknownEncodingError();
  }
  return decode(pipeline(body, meter(maxWireBytes), () => undefined));
}

/**
 * Returns a stream that fails after `maxBytes` bytes. Encoded bytes are limited, because decoding
 * them takes time even if the decoded body is empty.
 */
function meter(maxBytes: number): Transform {
  let total = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      total += chunk.length;
      callback(total > maxBytes ? new ResponseTooLongError('encoded bytes') : null, chunk);
    },
  });
}

/**
 * Decodes the encoding `deflate`. The standard requires the zlib format, but some servers send raw deflate data. The
 * first byte shows which of the two formats the server uses.
 */
async function* inflated(source: Readable): AsyncGenerator {
  const chunks = source.iterator();
  const first = await chunks.next();
  if (first.done === true) {
    return;
  }
  const start: unknown = first.value;
  const isZlib = start instanceof Uint8Array && ((start[0] ?? 0) & 0x0f) === 8;
  const inflate = isZlib ? zlib.createInflate(LENIENT) : zlib.createInflateRaw(LENIENT);
  yield* pipeline(Readable.from(startingWith(start, chunks)), inflate, () => undefined);
}

async function* startingWith(first: unknown, others: AsyncIterable<unknown>): AsyncGenerator {
  yield first;
  yield* others;
}

/** Returns the decoder for zstd. Returns an empty object if Node has no decoder for zstd, as before version 22.15. */
function zstd(): Record<string, Decoder> {
  const create: unknown = Reflect.get(zlib, 'createZstdDecompress');
  if (typeof create !== 'function') {
    return {};
  }
  const created = (): Transform => {
    const decoder: unknown = Reflect.apply(create, undefined, []);
    if (decoder instanceof Transform) {
      return decoder;
    }
    throw new UnknownEncodingError();
  };
  return { zstd: through(created) };
}
