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

/** A line of a text with its number. The first line has the number 1. */
export interface Line {
  readonly number: number;
  /**
   * The text of the line with its line end. If the line is too long, the text contains only the beginning of the line.
   */
  readonly text: string;
  readonly isTooLong: boolean;
}

/** The length to which a line is cut if it is too long. */
const SHOWN = 1000;

/**
 * Decodes a stream of bytes, and removes NUL characters. The first chunk with non-ASCII characters determines the
 * encoding.
 */
export async function* decodedText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= isPlain(chunk) ? undefined : decoderFor(chunk);
    const text = decoder?.write(chunk) ?? bufferOf(chunk).toString('latin1');
    yield text.replaceAll('\0', '');
  }
  yield decoder?.end() ?? '';
}

/**
 * Returns true if all bytes are ASCII and not zero. Zero bytes show that the text is UTF-16, because each ASCII
 * character in UTF-16 contains a zero byte.
 */
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

/** Returns the first `length` characters of a file. Does not read the rest of the file. */
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

/**
 * Splits a text that arrives in chunks into lines. For each chunk, yields the lines that end in the
 * chunk.
 */
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
  /** The incomplete line. It is only appended to, because a search in it would copy it for each chunk. */
  #open = '';
  /** A carriage return at the end of the last chunk. It may be half of a CRLF. */
  #held = '';
  #isTooLong = false;
  #number = 1;

  constructor(private readonly maxLength: number) {}

  write(chunk: string): readonly Line[] {
    const text = `${this.#held}${chunk}`;
    this.#held = text.endsWith('\r') ? '\r' : '';
    const whole = text.slice(0, text.length - this.#held.length);
    const lines: Line[] = [];
    let start = 0;
    for (const { 0: end, index } of whole.matchAll(/\r\n|\n|\r/g)) {
      lines.push(this.#line(whole.slice(start, index + end.length)));
      start = index + end.length;
    }
    this.#keep(whole.slice(start));
    return lines;
  }

  end(): readonly Line[] {
    return this.#open === '' && this.#held === '' ? [] : [this.#line(this.#held)];
  }

  /** Returns the line that ends with the given text. */
  #line(ending: string): Line {
    const text = `${this.#open}${ending}`;
    this.#open = '';
    const isTooLong = this.#isTooLong || text.length > this.maxLength;
    this.#isTooLong = false;
    const number = this.#number;
    this.#number += 1;
    return { number, text: isTooLong ? text.slice(0, SHOWN) : text, isTooLong };
  }

  #keep(rest: string): void {
    const open = `${this.#open}${rest}`;
    this.#isTooLong ||= open.length > this.maxLength;
    this.#open = this.#isTooLong ? open.slice(0, SHOWN) : open;
  }
}
