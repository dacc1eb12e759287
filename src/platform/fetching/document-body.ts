import type { Readable } from 'node:stream';

import { decodedBody } from './content-encoding.js';
import type { FetchedPage } from './fetch-outcome.js';
import type { FetchSettings } from './fetch-settings.js';
import type { HttpResponse } from './http-request.js';
import { type DocumentKind, documentKind, mimeTypeOf, SNIFFED_BYTES } from './mime-type.js';

/**
 * The number of bytes to read of each kind of document. For video, audio and other files, the bytes that show the file
 * type are enough.
 */
const BYTES_READ: Readonly<Record<DocumentKind, (settings: FetchSettings) => number>> = {
  html: ({ maxHtmlBytes }) => maxHtmlBytes,
  feed: ({ maxBytes }) => maxBytes,
  pdf: ({ maxBytes }) => maxBytes,
  text: ({ maxBytes }) => maxBytes,
  image: ({ maxImageBytes }) => maxImageBytes,
  video: () => SNIFFED_BYTES,
  audio: () => SNIFFED_BYTES,
  other: () => SNIFFED_BYTES,
};

type Document = Pick<FetchedPage, 'mimeType' | 'contentLength' | 'body' | 'isTruncated'>;

/** Reads the body of a document, up to the maximum number of bytes for its kind. */
export async function readDocument(
  response: HttpResponse,
  settings: FetchSettings,
): Promise<Document> {
  const { contentEncoding, headers } = response;
  const reader = new CappedBody(decodedBody(response.body, contentEncoding, settings.maxBytes));
  try {
    const start = await reader.start(SNIFFED_BYTES);
    const mimeType = await mimeTypeOf(start.body, headers.contentType);
    const read = await reader.start(BYTES_READ[documentKind(mimeType)](settings));
    return { mimeType, ...read, contentLength: lengthOf(response, read) };
  } finally {
    reader.close();
  }
}

function lengthOf(
  { contentEncoding, contentLength }: HttpResponse,
  { body, isTruncated }: Pick<Document, 'body' | 'isTruncated'>,
): number | undefined {
  if (!isTruncated) {
    return body.length;
  }
  return contentEncoding === undefined ? contentLength : undefined;
}

const FIRST_CAPACITY = 16_384;

/** Reads a response body, but only the requested number of bytes. */
class CappedBody {
  readonly #stream: Readable;
  readonly #chunks: AsyncIterator<unknown>;
  /** The bytes that were read so far, in one growing buffer, because a body may arrive in many small chunks. */
  #read = Buffer.allocUnsafe(FIRST_CAPACITY);
  #length = 0;
  #isWhole = false;

  constructor(stream: Readable) {
    this.#stream = stream;
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Returns the first `bytes` bytes of the body, or the whole body if it is shorter. */
  async start(bytes: number): Promise<{ body: Uint8Array; isTruncated: boolean }> {
    while (this.#length <= bytes && !this.#isWhole) {
      await this.#readOn();
    }
    return {
      // The bytes are copied, so that they can be transferred to a worker without the rest of the buffer.
      body: new Uint8Array(this.#read.subarray(0, Math.min(bytes, this.#length))),
      isTruncated: this.#length > bytes || !this.#isWhole,
    };
  }

  close(): void {
    this.#stream.on('error', () => undefined).destroy();
  }

  async #readOn(): Promise<void> {
    const next = await this.#chunks.next();
    this.#isWhole = next.done === true;
    const chunk: unknown = next.value;
    if (chunk instanceof Uint8Array) {
      this.#makeRoomFor(chunk.length);
      this.#read.set(chunk, this.#length);
      this.#length += chunk.length;
    }
  }

  #makeRoomFor(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#read.length) {
      return;
    }
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#read.length * 2));
    larger.set(this.#read.subarray(0, this.#length));
    this.#read = larger;
  }
}
