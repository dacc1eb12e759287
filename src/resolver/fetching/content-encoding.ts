import { pipeline, Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';

import { AnswerTooLongError, UnknownEncodingError } from './fetch.errors.js';

/** What a server forgot to finish is read as far as it goes, as browsers do. */
const LENIENT = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

type Decoder = (encoded: Readable) => Readable;

// An error before or in the decoder destroys it, and its reader sees that.
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

/** The value of Accept-Encoding: all that can be decoded here. */
export const ACCEPTED_ENCODINGS = Object.keys(DECODERS)
  .filter((name) => name !== 'x-gzip')
  .join(', ');

/** The body without its content-encoding, of which there may be one; fails beyond so many bytes on the wire. */
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

/** Bytes that decode to nothing cost time as well. */
function meter(maxBytes: number): Transform {
  let total = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      total += chunk.length;
      callback(total > maxBytes ? new AnswerTooLongError('encoded bytes') : null, chunk);
    },
  });
}

/** `deflate` is the zlib format by the standard, and raw deflate by the habit of some servers; the first byte tells. */
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

/** Node has it from 22.15 on. */
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
