import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

import type { Response } from 'express';

import { endWhenStalled } from '../../platform/http/stalled-clients.js';
import { EPUB_TYPE, type EpubFile } from './epub.service.js';
import { dispositionOf, type FileName } from './file-name.js';

/** Sends a finished book as a download. Resolves when the client has received the book or has disconnected. */
export async function sendEpub(response: Response, { name, bytes }: EpubFile): Promise<void> {
  setEpubHeaders(response, name);
  await sendWhole(response, bytes);
}

/** Sends all bytes of a response at once. Resolves when the client has received them or has disconnected. */
export async function sendWhole(response: Response, bytes: Buffer): Promise<void> {
  response.setHeader('content-length', bytes.length);
  response.end(bytes);
  // Ignores the error that `finished` throws if the client has disconnected.
  await finished(response).catch(() => undefined);
}

/**
 * Sends a book to the client while the book is still being written. If the client disconnects, stops writing. Resolves
 * when writing has stopped.
 */
export async function streamEpub(
  response: Response,
  name: FileName,
  book: Readable,
): Promise<void> {
  setEpubHeaders(response, name);
  if (response.req.method === 'HEAD') {
    book.destroy();
    response.end();
    return;
  }
  endWhenStalled(response);
  try {
    await pipeline(book, response);
  } catch (error) {
    if (!response.destroyed) {
      throw error;
    }
  } finally {
    // If the client has disconnected, the book is still being written. Waits until the current
    // article is finished.
    if (!book.closed) {
      await once(book, 'close');
    }
  }
}

/**
 * Sets the response headers of a book. `no-transform` forbids proxies to compress the response, because some e-readers
 * cannot open a compressed book.
 */
export function setEpubHeaders(response: Response, name: FileName): void {
  response.setHeader('content-disposition', dispositionOf(name));
  response.setHeader('content-type', EPUB_TYPE);
  response.setHeader('cache-control', 'private, no-store, no-transform');
}
