import { isAscii } from 'node:buffer';

import iconv from 'iconv-lite';

import { decodeText } from '../../../resolver/extraction/charset/charset.js';
import { encodingLabelled } from '../../../resolver/extraction/charset/charset-labels.js';

interface Decoder {
  write(bytes: Uint8Array): string;
  end(): string;
}

const FALLBACK = 'windows-1252';

/** The text of a stream of bytes, without NUL. The first bytes beyond ASCII decide on the encoding. */
export async function* decodedText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= isPlain(chunk) ? undefined : decoderFor(chunk);
    const text = decoder?.write(chunk) ?? bufferOf(chunk).toString('latin1');
    yield text.replaceAll('\0', '');
  }
  yield decoder?.end() ?? '';
}

/** Text in UTF-16 is ASCII with a zero beside each character. */
const isPlain = (chunk: Uint8Array): boolean => isAscii(chunk) && !chunk.includes(0);

function decoderFor(chunk: Uint8Array): Decoder {
  const encoding = encodingLabelled(decodeText(chunk).encoding) ?? FALLBACK;
  return /^utf/.test(encoding) ? unicodeDecoder(encoding) : otherDecoder(encoding);
}

function unicodeDecoder(encoding: string): Decoder {
  const decoder = new TextDecoder(encoding);
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
}

function otherDecoder(encoding: string): Decoder {
  const decoder = iconv.getDecoder(encoding);
  return {
    write: (bytes) => decoder.write(bufferOf(bytes)),
    end: () => decoder.end() ?? '',
  };
}

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
