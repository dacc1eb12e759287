import { decodeText } from '../charset.js';
import type { DescribedDocument, DocumentFacts } from './document-facts.js';
import { describeFeed } from './feed.js';
import { describeImage } from './text-and-image.js';
import { describeTextDocument } from './text-document.js';

/** The kinds of documents, other than HTML pages, that Satchel can describe. */
type DescribedKind = 'pdf' | 'text' | 'feed' | 'image';

/** A document for a worker thread, which extracts its metadata and text. */
export interface DocumentTask {
  readonly kind: DescribedKind;
  /** Only for a PDF: `head` extracts only the metadata. Undefined to extract the text too. */
  readonly part?: 'head';
  /** Only for a PDF: the number of the first page to extract. The default is 1. */
  readonly fromPage?: number;
  readonly bytes: Uint8Array;
  /** The Content-Type that the server sent. */
  readonly contentType: string | undefined;
  /** The address of the document. The links of a Markdown document are relative to it. */
  readonly url?: string;
}

type Describe = (task: DocumentTask) => DescribedDocument | Promise<DescribedDocument>;

const decoded =
  (describe: (text: string) => DocumentFacts): Describe =>
  ({ bytes, contentType }) => {
    const { text, encoding } = decodeText(bytes, contentType);
    return { facts: describe(text), encoding };
  };

/**
 * The maximum size of a byte buffer. Ordinary documents need far less, although the parser doubles
 * a buffer when it grows.
 */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Limits the size of byte buffers in this thread: a larger buffer throws a RangeError. The PDF
 * parser could otherwise unpack 1.5 MB to 1.5 GB, because Node's resource limits do not include
 * buffers.
 */
function limitBuffers(): void {
  // Without DecompressionStream, the PDF parser unpacks a stream into a single buffer. Its size is
  // limited below.
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, values: readonly unknown[], newTarget): object {
      const length = values[0];
      if (typeof length === 'number' && length > MAX_BYTES) {
        throw new RangeError(`A buffer of ${length} bytes is too large.`);
      }
      const made: unknown = Reflect.construct(target, values, newTarget);
      if (made instanceof target) {
        return made;
      }
      throw new TypeError('No buffer was made.');
    },
  });
}

let hasLimit = false;
function limitBuffersOnce(): void {
  if (!hasLimit) {
    limitBuffers();
    hasLimit = true;
  }
}

const DESCRIBERS: Readonly<Record<DescribedKind, Describe>> = {
  text: async ({ bytes, contentType, url }) => {
    const { text, encoding } = decodeText(bytes, contentType);
    return { ...(await describeTextDocument(text, contentType, url)), encoding };
  },
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
