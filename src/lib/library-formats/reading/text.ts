import { isAscii } from 'node:buffer';

import iconv from 'iconv-lite';

import { decodeText, encodingLabelled } from '../../extraction/charset.js';
import { yieldToOthers } from '../../util/event-loop.js';
import type { Source } from '../format.js';

interface Decoder {
  write(bytes: Uint8Array): string;
  end(): string;
}

const FALLBACK = 'windows-1252';

/** A line of a text, numbered from 1 on. */
export interface Line {
  readonly number: number;
  /** With what ends it; of a line that is too long the beginning alone. */
  readonly text: string;
  readonly isTooLong: boolean;
}

/** What is shown of a line that is too long. */
const SHOWN = 1000;

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

/** How the text of a source begins; what comes after is not read. */
export async function beginningOf(source: Source, length: number): Promise<string> {
  let text = '';
  for await (const chunk of decodedText(source.bytes())) {
    text += chunk;
    if (text.length >= length) {
      break;
    }
  }
  return text.slice(0, length);
}

/** The lines of a text, as they come. */
export async function* linesOf(
  text: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter(maxLength);
  for await (const chunk of text) {
    yield splitter.write(chunk);
    await yieldToOthers();
  }
  yield splitter.end();
}

class LineSplitter {
  #open = '';
  #isTooLong = false;
  #number = 1;

  constructor(private readonly maxLength: number) {}

  write(chunk: string): readonly Line[] {
    const text = `${this.#open}${chunk}`;
    const lines: Line[] = [];
    const lineEnd = /\r\n|\n|\r/g;
    // What is open has no line end but, perhaps, its last character.
    lineEnd.lastIndex = Math.max(0, this.#open.length - 1);
    let start = 0;
    for (const { 0: end, index } of text.matchAll(lineEnd)) {
      // The other half of a line end may follow in the next chunk.
      if (end === '\r' && index === text.length - 1) {
        break;
      }
      lines.push(this.#line(text.slice(start, index + end.length)));
      start = index + end.length;
    }
    this.#keep(text.slice(start));
    return lines;
  }

  end(): readonly Line[] {
    return this.#open === '' ? [] : [this.#line(this.#open)];
  }

  #line(text: string): Line {
    const isTooLong = this.#isTooLong || text.length > this.maxLength;
    this.#isTooLong = false;
    const number = this.#number;
    this.#number += 1;
    return { number, text: isTooLong ? text.slice(0, SHOWN) : text, isTooLong };
  }

  #keep(rest: string): void {
    this.#isTooLong ||= rest.length > this.maxLength;
    const end = rest.endsWith('\r') ? '\r' : '';
    this.#open = this.#isTooLong ? `${rest.slice(0, SHOWN)}${end}` : rest;
  }
}
