import { CappedBody } from './capped-body.js';
import { decodedBody } from './content-encoding.js';
import { type DocumentKind, documentKind } from './document-kind.js';
import { type FetchedPage } from './fetch-outcome.js';
import { type FetchSettings } from './fetch-settings.js';
import { type Answer } from './http-exchange.js';
import { mimeTypeOf, SNIFFED_BYTES } from './mime-type.js';

/** Of what a reader reads, all; of the rest, what tells what it is. */
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

/** Reads a body as far as its kind asks for, and not a byte more than its limit. */
export async function readDocument(answer: Answer, settings: FetchSettings): Promise<Document> {
  const { contentEncoding, headers } = answer;
  const reader = new CappedBody(decodedBody(answer.body, contentEncoding, settings.maxBytes));
  try {
    const start = await reader.start(SNIFFED_BYTES);
    const mimeType = await mimeTypeOf(start.body, headers.contentType);
    const read = await reader.start(BYTES_READ[documentKind(mimeType)](settings));
    return { mimeType, ...read, contentLength: lengthOf(answer, read) };
  } finally {
    reader.close();
  }
}

function lengthOf(
  { contentEncoding, contentLength }: Answer,
  { body, isTruncated }: Pick<Document, 'body' | 'isTruncated'>,
): number | undefined {
  if (!isTruncated) {
    return body.length;
  }
  return contentEncoding === undefined ? contentLength : undefined;
}
