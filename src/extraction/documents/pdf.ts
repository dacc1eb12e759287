import { getDocumentProxy, type Pdf, type TextContent } from 'unpdf';

import { defined } from '../../common/defined.js';
import { plain } from '../plain-text.js';
import { type DocumentFacts, documentWords, MAX_EXCERPT, MAX_TITLE } from './document-facts.js';

/** No fonts, scripts or files of this machine; the parser prints nothing. */
const OPTIONS = {
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  enableXfa: false,
  verbosity: 0,
};
/** What programs write where a title was expected. */
const NO_TITLE =
  /^(?:untitled|unknown|title|slide 1|powerpoint presentation|microsoft \w+ - .*|.*\.\w{2,4})$/i;

/**
 * What a PDF says of itself; where it has no title, the largest words of its first page. Costs time and memory as its
 * author likes: it belongs in a worker with limits of both.
 */
export const describePdf = (bytes: Uint8Array): Promise<DocumentFacts> =>
  ofPdf(bytes, async (pdf, said) => {
    const { opening, text } = await readPdfText(pdf);
    return {
      ...saidOf(said),
      title: titleOf(said) ?? plain(largest(opening), MAX_TITLE),
      excerpt: plain(opening.map((each) => each.text).join(' '), MAX_EXCERPT),
      wordCount: documentWords(text),
    };
  });

/** What a PDF says of itself, without a look at its pages. */
export const describePdfHead = (bytes: Uint8Array): Promise<DocumentFacts> =>
  ofPdf(bytes, (_pdf, said) => saidOf(said));

type Facts = { readonly [Name in keyof DocumentFacts]: DocumentFacts[Name] | undefined };

async function ofPdf(
  bytes: Uint8Array,
  describe: (pdf: Pdf, said: Metadata) => Facts | Promise<Facts>,
): Promise<DocumentFacts> {
  // A copy: the parser takes possession of what it is given.
  const pdf = await getDocumentProxy(new Uint8Array(bytes), OPTIONS).catch(() => undefined);
  if (pdf === undefined) {
    return {};
  }
  try {
    return defined<DocumentFacts>(await describe(pdf, await metadataOf(pdf)));
  } finally {
    await pdf.destroy();
  }
}

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

/** The run of the largest letters; nothing when all letters are alike. */
function largest(words: readonly SizedText[]): string {
  const size = words.reduce((most, each) => Math.max(most, each.size), 0);
  const isLarge = (each: SizedText | undefined): boolean => (each?.size ?? 0) > size * 0.95;
  const start = words.findIndex(isLarge);
  const length = words.slice(start).findIndex((each) => !isLarge(each));
  return length === -1
    ? ''
    : words
        .slice(start, start + length)
        .map(({ text }) => text)
        .join(' ');
}

/** Text as it stands on a page, and the height of its letters. */
interface SizedText {
  readonly text: string;
  readonly size: number;
}

/** What could be read of a document's pages within the limits. */
interface PdfText {
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
async function readPdfText(pdf: Pdf): Promise<PdfText> {
  const end = performance.now() + READ_MS;
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
