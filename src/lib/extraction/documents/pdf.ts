import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

import type { PDFDocumentProxy as Pdf } from '#pdfjs-dist/legacy/build/pdf.mjs';

import { defined } from '../../util/defined.js';
import { guessedLanguage } from '../metadata/language.js';
import { plain } from '../plain-text.js';
import {
  type DescribedDocument,
  type DocumentFacts,
  documentWords,
  MAX_EXCERPT,
  MAX_TITLE,
} from './document-facts.js';
import { type PdfLine, PdfLines } from './pdf-lines.js';
import { joined, pdfHtml } from './pdf-paragraphs.js';

/** Matches meaningless titles that programs write into PDFs. */
const NO_TITLE =
  /^(?:untitled|unknown|title|slide 1|powerpoint presentation|microsoft \w+ - .*|.*\.\w{2,4})$/i;

/** The part of a PDF that is extracted, and the time limit. */
interface PdfPart {
  /** The number of the first page to extract, counted from 1. */
  readonly fromPage?: number | undefined;
  /** The time limit in milliseconds. Extraction stops when it is exceeded, even within a page. */
  readonly readMs?: number | undefined;
}

/** The metadata and the text that were extracted from a PDF. */
type DescribedPdf = Omit<DescribedDocument, 'encoding'>;

/**
 * Extracts the metadata of a PDF, and as many pages as the time limit allows. Without a title in
 * the metadata, the largest text on the first page is the title. Must run in a worker thread with
 * limits, because a PDF can take any amount of time and memory.
 */
export const describePdf = (bytes: Uint8Array, part: PdfPart = {}): Promise<DescribedPdf> =>
  ofPdf(bytes, async (pdf, said) => {
    const { pages, nextPage } = await readPages(pdf, part);
    const opening = part.fromPage === undefined ? (pages[0] ?? []).slice(0, MAX_OPENING) : [];
    const text = pages.map((lines) => joined(lines.map((line) => line.text))).join('\n');
    const facts = {
      ...saidOf(said),
      title: titleOf(said) ?? plain(largest(opening), MAX_TITLE),
      language: plain(said('Language'), MAX_TITLE) ?? (guessedLanguage(text) || undefined),
      excerpt: plain(joined(opening.map((line) => line.text)), MAX_EXCERPT),
      wordCount: documentWords(text),
    };
    return {
      facts: defined<DocumentFacts>(facts),
      ...defined({ article: pdfHtml(pages) || undefined, nextPage }),
    };
  });

/** Extracts only the metadata of a PDF. Does not parse its pages. */
export const describePdfHead = (bytes: Uint8Array): Promise<DescribedPdf> =>
  ofPdf(bytes, (_pdf, said) => ({ facts: defined<DocumentFacts>(saidOf(said)) }));

async function ofPdf(
  bytes: Uint8Array,
  describe: (pdf: Pdf, said: Metadata) => DescribedPdf | Promise<DescribedPdf>,
): Promise<DescribedPdf> {
  const pdf = await openPdf(bytes);
  if (pdf === undefined) {
    return { facts: {} };
  }
  try {
    return await describe(pdf, await metadataOf(pdf));
  } finally {
    await pdf.destroy();
  }
}

const LIBRARY = createRequire(import.meta.url).resolve('#pdfjs-dist/legacy/build/pdf.mjs');
const FOLDER = join(dirname(LIBRARY), '..', '..');

/**
 * The options of the PDF library. They forbid network access, scripts, and local files outside the
 * library's own package.
 */
const OPTIONS = {
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  enableXfa: false,
  verbosity: 0,
  // Character code tables for Chinese, Japanese and Korean fonts. Some PDFs need these tables but
  // do not contain them.
  cMapUrl: join(FOLDER, 'cmaps', sep),
  cMapPacked: true,
  standardFontDataUrl: join(FOLDER, 'standard_fonts', sep),
};

/**
 * Browser globals that the PDF library expects when it is loaded. Satchel draws nothing, so
 * placeholders are sufficient.
 */
const DRAWING = ['DOMMatrix', 'ImageData', 'Path2D'] as const;

/** Opens a PDF without changing its bytes. Returns undefined if the bytes are not a PDF. */
async function openPdf(bytes: Uint8Array): Promise<Pdf | undefined> {
  for (const name of DRAWING) {
    if (!(name in globalThis)) {
      Reflect.set(globalThis, name, Object);
    }
  }
  const { getDocument } = await import('#pdfjs-dist/legacy/build/pdf.mjs');
  // Passes a copy, because the PDF parser transfers its input buffer to another thread.
  const task = getDocument({ ...OPTIONS, data: new Uint8Array(bytes) });
  return task.promise.catch(async () => {
    await task.destroy();
    return undefined;
  });
}

type Facts = { readonly [Name in keyof DocumentFacts]: DocumentFacts[Name] | undefined };

const saidOf = (said: Metadata): Facts => ({
  title: titleOf(said),
  author: plain(said('Author'), MAX_TITLE),
  language: plain(said('Language'), MAX_TITLE),
});

type Metadata = (name: string) => string;

async function metadataOf(pdf: Pdf): Promise<Metadata> {
  const { info, metadata } = await pdf.getMetadata().catch(() => ({ info: {}, metadata: null }));
  return (name) => {
    const xmp: unknown = name === 'Title' ? metadata?.get('dc:title') : undefined;
    const value: unknown = Reflect.get(info, name);
    const texts = [value, xmp].filter((each) => typeof each === 'string');
    return texts.find((text) => text.trim() !== '') ?? '';
  };
}

function titleOf(said: Metadata): string | undefined {
  const title = plain(said('Title'), MAX_TITLE);
  return title === undefined || NO_TITLE.test(title) ? undefined : title;
}

/**
 * Returns the first text on a page with the largest letters. Returns an empty text if all letters
 * have the same size.
 */
function largest(lines: readonly PdfLine[]): string {
  const size = lines.reduce((most, each) => Math.max(most, each.size), 0);
  const isLarge = (each: PdfLine): boolean => each.size > size * 0.95;
  const start = lines.findIndex(isLarge);
  const length = lines.slice(start).findIndex((each) => !isLarge(each));
  return length === -1 ? '' : joined(lines.slice(start, start + length).map(({ text }) => text));
}

/** The maximum number of pages that are extracted as one part of a PDF. */
const MAX_PAGES = 500;
/**
 * The time limit in milliseconds for extracting one part of a PDF. It is only half of the thread's
 * time limit, because extraction can stop only between two portions of a page, and some portions
 * are slow.
 */
const READ_MS = 4000;
const MAX_CHARACTERS = 6_000_000;
/** The number of lines on the first page of a PDF that are searched for a title and an excerpt. */
const MAX_OPENING = 200;

interface ReadPages {
  readonly pages: readonly (readonly PdfLine[])[];
  /** The number of the page at which the next part of the PDF begins. Undefined after the last page. */
  readonly nextPage: number | undefined;
}

/**
 * Extracts the text of a part of a PDF, page by page. If a page exceeds a limit, only its first
 * lines are extracted.
 */
async function readPages(
  pdf: Pdf,
  { fromPage = 1, readMs = READ_MS }: PdfPart,
): Promise<ReadPages> {
  const end = performance.now() + readMs;
  const pages: PdfLine[][] = [];
  let characters = 0;
  const isOver = (): boolean => characters > MAX_CHARACTERS || performance.now() > end;
  const last = Math.min(pdf.numPages, fromPage + MAX_PAGES - 1);
  let next = fromPage;
  do {
    const lines = new PdfLines();
    for await (const items of portionsOf(pdf, next)) {
      characters += lines.add(items);
      if (isOver()) {
        break;
      }
    }
    pages.push(lines.take());
    next += 1;
  } while (next <= last && !isOver());
  return { pages, nextPage: next <= pdf.numPages ? next : undefined };
}

/**
 * Yields the text fragments of a PDF page in portions. Yields nothing if the page cannot be parsed.
 * The parser stops if the caller ends the iteration early.
 */
async function* portionsOf(pdf: Pdf, number: number): AsyncGenerator<readonly object[]> {
  const page = await pdf.getPage(number).catch(() => undefined);
  try {
    const portions: AsyncIterable<{ items: object[] }> | undefined = page?.streamTextContent();
    for await (const { items } of portions ?? []) {
      yield items;
    }
  } catch {
    // The portions before the parser error are still used.
  } finally {
    page?.cleanup();
  }
}
