import type { Pdf, TextContent } from 'unpdf';

/** Text as it stands on a page, and the height of its letters. */
export interface SizedText {
  readonly text: string;
  readonly size: number;
}

/** What could be read of a document's pages within the limits. */
export interface PdfText {
  /** How the first page begins. */
  readonly opening: readonly SizedText[];
  readonly text: string;
}

/** Half of what the thread has: reading ends between two parts of a page, some of which take long. */
const READ_MS = 4000;
const MAX_PAGES = 10_000;
const MAX_CHARACTERS = 10_000_000;
/** Of the first page: more than a title and an excerpt ask for. */
const MAX_OPENING = 2000;

/** Reads page after page, as far as time and space allow. */
export async function readPdfText(pdf: Pdf, readMs = READ_MS): Promise<PdfText> {
  const end = performance.now() + readMs;
  const opening: SizedText[] = [];
  let text = '';
  for await (const { page, items } of partsOf(pdf)) {
    opening.push(...(page === 1 ? sized(items).slice(0, MAX_OPENING - opening.length) : []));
    text += textOf(items);
    if (text.length > MAX_CHARACTERS || performance.now() > end) {
      break;
    }
  }
  return { opening, text };
}

type Items = TextContent['items'];

interface Part {
  readonly page: number;
  readonly items: Items;
}

/** Every page has one at least, so that its reader can leave; leaving tells the parser to stop. */
async function* partsOf(pdf: Pdf): AsyncGenerator<Part> {
  const pages = Math.min(pdf.numPages, MAX_PAGES);
  for (let page = 1; page <= pages; page += 1) {
    try {
      yield* partsOfPage(pdf, page);
    } catch {
      // A page that cannot be read has no words.
    }
    yield { page, items: [{ str: '', height: 0, hasEOL: true }] };
  }
}

async function* partsOfPage(pdf: Pdf, number: number): AsyncGenerator<Part> {
  const page = await pdf.getPage(number);
  try {
    for await (const { items } of page.streamTextContent()) {
      yield { page: number, items };
    }
  } finally {
    page.cleanup();
  }
}

const sized = (items: Items): SizedText[] =>
  items.flatMap((item) =>
    'str' in item && item.str.trim() !== '' ? [{ text: item.str, size: item.height }] : [],
  );

const textOf = (items: Items): string =>
  items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
