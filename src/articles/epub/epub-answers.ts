import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

import type { Response } from 'express';

import { endWhenStalled } from '../../platform/http/stalled-clients.js';
import { EPUB_TYPE, type EpubFile } from './epub.service.js';
import { dispositionOf, type FileName } from './file-name.js';

/** Ends an answer with a book as a file to be saved, until its client has all of it or has gone. */
export async function sendEpub(response: Response, { name, bytes }: EpubFile): Promise<void> {
  setEpubHeaders(response, name);
  await sendWhole(response, bytes);
}

/** Ends an answer with what is in memory until its client has all of it or has gone. */
export async function sendWhole(response: Response, bytes: Buffer): Promise<void> {
  response.setHeader('content-length', bytes.length);
  response.end(bytes);
  // A client that has gone is told nothing.
  await finished(response).catch(() => undefined);
}

/** Answers with a book that is made while it is sent, until nothing of it is made any more: for a client that goes away the rest is not. */
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
    // The article that is just being written ends first.
    if (!book.closed) {
      await once(book, 'close');
    }
  }
}

/** Not to be changed on the way: some e-readers take what is compressed for a broken book. */
export function setEpubHeaders(response: Response, name: FileName): void {
  response.setHeader('content-disposition', dispositionOf(name));
  response.setHeader('content-type', EPUB_TYPE);
  response.setHeader('cache-control', 'private, no-store, no-transform');
}
