import { decodeText } from '../charset.js';
import type { DescribedDocument, DocumentFacts } from './document-facts.js';
import { describeFeed } from './feed.js';
import { limitBuffers } from './limit-buffers.js';
import { describeImage, describeText } from './text-and-image.js';

/** The kinds of documents, apart from HTML pages, from which facts can be extracted. */
type DescribedKind = 'pdf' | 'text' | 'feed' | 'image';

/** A document that a worker thread describes. */
export interface DocumentTask {
  readonly kind: DescribedKind;
  /** Only for a PDF: `head` extracts only the metadata. By default, the thread describes the whole document. */
  readonly part?: 'head';
  /** Only for a PDF: the number of the first page to extract. The default is 1. */
  readonly fromPage?: number;
  readonly bytes: Uint8Array;
  /** The Content-Type that the server sent. */
  readonly contentType: string | undefined;
}

type Describe = (task: DocumentTask) => DescribedDocument | Promise<DescribedDocument>;

const decoded =
  (describe: (text: string) => DocumentFacts): Describe =>
  ({ bytes, contentType }) => {
    const { text, encoding } = decodeText(bytes, contentType);
    return { facts: describe(text), encoding };
  };

let hasLimit = false;
function limitBuffersOnce(): void {
  if (!hasLimit) {
    limitBuffers();
    hasLimit = true;
  }
}

const DESCRIBERS: Readonly<Record<DescribedKind, Describe>> = {
  text: decoded(describeText),
  feed: decoded(describeFeed),
  image: ({ bytes }) => ({ facts: describeImage(bytes), encoding: '' }),
  // Loads the PDF parser on demand, because loading takes a third of a second and most threads never receive a PDF.
  pdf: async ({ bytes, part, fromPage }) => {
    limitBuffersOnce();
    const { describePdf, describePdfHead } = await import('./pdf.js');
    const described =
      part === 'head' ? await describePdfHead(bytes) : await describePdf(bytes, { fromPage });
    return { ...described, encoding: '' };
  },
};

export default (task: DocumentTask): ReturnType<Describe> => DESCRIBERS[task.kind](task);
