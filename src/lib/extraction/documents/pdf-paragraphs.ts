import type { PdfLine } from './pdf-lines.js';

/** A paragraph or heading of a PDF, with its lines joined into one text. */
interface Paragraph {
  readonly text: string;
  readonly size: number;
}

/** Converts the lines of PDF pages to HTML paragraphs and headings. */
export function pdfHtml(pages: readonly (readonly PdfLine[])[]): string {
  const kept = withoutRunningLines(pages);
  const lines = kept.flat();
  const body = bodySizeOf(lines);
  return paragraphsOf(kept, usualOf(lines))
    .map(
      ({ text, size }) =>
        `<${tagOf(text, size / body)}>${escaped(text)}</${tagOf(text, size / body)}>`,
    )
    .join('');
}

/**
 * Joins the lines of a paragraph into one text. Rejoins hyphenated words. Adds a space between two lines, except in
 * scripts that use no spaces.
 */
export function joined(lines: readonly string[]): string {
  return lines.map((line, at) => linked(line, lines[at + 1])).join('');
}

/** Returns a line with the separator that must follow it: a space, or nothing. */
function linked(line: string, next: string | undefined): string {
  if (next === undefined) {
    return line;
  }
  if (BROKEN_WORD.test(line) && STARTS_LOW.test(next)) {
    return line.slice(0, -1);
  }
  return ENDS_UNSPACED.test(line) && STARTS_UNSPACED.test(next) ? line : `${line} `;
}

const BROKEN_WORD = /\p{L}[-\u2010]$/u;
const STARTS_LOW = /^\p{Ll}/u;
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\u3000-\u303f\uff00-\uffef';
const ENDS_UNSPACED = new RegExp(`[${UNSPACED}]$`, 'u');
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

const MAX_HEADING = 200;
const LARGE = 1.5;
const LARGER = 1.15;

function tagOf(text: string, size: number): 'h2' | 'h3' | 'p' {
  if (size < LARGER || text.length > MAX_HEADING) {
    return 'p';
  }
  return size < LARGE ? 'h3' : 'h2';
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const rounded = (length: number): number => Math.round(length * 10) / 10;

/** Returns the value with the greatest total weight. */
function mostCommon(weighed: readonly (readonly [value: number, weight: number])[]): number {
  const weights = new Map<number, number>();
  for (const [value, weight] of weighed) {
    weights.set(value, (weights.get(value) ?? 0) + weight);
  }
  return [...weights].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0];
}

/** Returns the letter size of most characters in a PDF. */
const bodySizeOf = (lines: readonly PdfLine[]): number =>
  mostCommon(lines.map(({ size, text }) => [rounded(size), text.length]));

/**
 * The additional distance that separates two paragraphs, on top of the usual distance between two
 * lines, in letter heights.
 */
const APART = 0.35;

/** Typical measures of the lines in a PDF, with which each line is compared. */
interface Usual {
  /** The usual distance between the baselines of two lines, in letter heights. */
  readonly leading: number;
  readonly width: number;
}

function usualOf(lines: readonly PdfLine[]): Usual {
  const gaps = lines.slice(1).map((line, at) => gapBefore(line, lines[at]));
  const widths = lines.map(({ width }) => width).toSorted((a, b) => a - b);
  return {
    leading: mostCommon(gaps.filter((gap) => gap > 0.5 && gap < 4).map((gap) => [rounded(gap), 1])),
    width: widths[Math.floor(widths.length * 0.75)] ?? 0,
  };
}

/**
 * Returns the distance between a line and the line before it, in letter heights. The distance is
 * negative if the line is higher on the page than the line before it.
 */
function gapBefore(line: PdfLine | undefined, before: PdfLine | undefined): number {
  if (line === undefined || before === undefined) {
    return 0;
  }
  const points = line.isVertical ? before.left - line.left : before.baseline - line.baseline;
  return points / Math.max(1, before.size);
}

function paragraphsOf(pages: readonly (readonly PdfLine[])[], usual: Usual): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: string[] = [];
  let last: PdfLine | undefined;
  const close = (): void => {
    if (last !== undefined) {
      paragraphs.push({ text: joined(open), size: last.size });
      open = [];
    }
  };
  for (const [at, line] of pages.flatMap((page) => [...page.entries()])) {
    if (
      last !== undefined &&
      startsParagraph(line, { last, first: open[0] ?? '', isNewPage: at === 0, usual })
    ) {
      close();
    }
    open.push(line.text);
    last = line;
  }
  close();
  return paragraphs;
}

interface Before {
  readonly last: PdfLine;
  /** The text of the first line in the current paragraph. */
  readonly first: string;
  readonly isNewPage: boolean;
  readonly usual: Usual;
}

const ITEM = /^(?:[•‣▪●○◦–—*·-]|\(?(?:\d{1,3}|[a-z])[.)])\s/u;
const ENDS_SENTENCE = /[.!?:;…。！？」』][)"'”’»\]]?$/u;
const MAX_INDENT = 6;

function startsParagraph(line: PdfLine, before: Before): boolean {
  const { last, isNewPage } = before;
  const sizes = Math.abs(line.size - last.size) / Math.max(1, line.size, last.size);
  if (sizes > 0.12 || ITEM.test(line.text)) {
    return true;
  }
  return isNewPage || gapBefore(line, last) < -1
    ? ENDS_SENTENCE.test(last.text) || !isFull(before) || !CONTINUES.test(line.text)
    : isApart(line, before);
}

/**
 * Returns true if a line starts a new paragraph: after a large distance, with an indent, or after a
 * short line that ends a sentence.
 */
const isApart = (line: PdfLine, before: Before): boolean =>
  gapBefore(line, before.last) > before.usual.leading + APART ||
  isIndented(line, before) ||
  (ENDS_SENTENCE.test(before.last.text) && !isFull(before));

const isFull = ({ last, usual }: Before): boolean =>
  last.isVertical || last.width > 0.75 * usual.width;

/**
 * Returns true if a line starts a paragraph because it is indented. The lines of a list item are
 * indented without starting a paragraph.
 */
function isIndented(line: PdfLine, { last, first }: Before): boolean {
  const indent = (line.left - last.left) / Math.max(1, line.size);
  return !line.isVertical && indent > 0.8 && indent < MAX_INDENT && !ITEM.test(first);
}

/**
 * Matches a line that may continue a paragraph from the previous page or column. It begins with a
 * lower-case letter, or with a character of a script without spaces.
 */
const CONTINUES = new RegExp(`^[\\p{Ll}${UNSPACED}]`, 'u');

const MIN_REPEATED = 2;
/**
 * The share of the pages of a PDF on which a large line may be repeated as a slide title. A line
 * that is repeated on more pages is a header.
 */
const MOST_TITLED = 0.5;
const PAGE_NUMBER =
  /^\P{L}{0,5}(?:(?:page|seite|s\.|p\.)\s)?\d{1,5}(?:\s?(?:\/|of|von|de|sur)\s?\d{1,5})?\P{L}{0,5}$/iu;

/**
 * Removes headers, footers and page numbers from the pages of a PDF. They are separated by a gap
 * from the text at the top or bottom of a page, and are repeated on other pages or contain a page
 * number.
 */
function withoutRunningLines(pages: readonly (readonly PdfLine[])[]): (readonly PdfLine[])[] {
  const { leading } = usualOf(pages.flat());
  const edges = pages.map((lines) => {
    const stands = (at: number): boolean =>
      Math.abs(gapBefore(lines[at], lines[at - 1])) > leading + APART;
    return {
      first: lines.length > 1 && stands(1) ? lines[0] : undefined,
      last: lines.length > 1 && stands(lines.length - 1) ? lines.at(-1) : undefined,
    };
  });
  const counts = new Map<string, number>();
  for (const line of edges.flatMap(({ first, last }) => [first, last])) {
    const words = line === undefined ? '' : wordsOf(line);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const body = bodySizeOf(pages.flat());
  const least = ({ size }: PdfLine): number =>
    size < LARGER * body
      ? MIN_REPEATED
      : Math.max(MIN_REPEATED, Math.floor(MOST_TITLED * pages.length)) + 1;
  const runs = (line: PdfLine | undefined): boolean =>
    line !== undefined &&
    (PAGE_NUMBER.test(line.text) || (counts.get(wordsOf(line)) ?? 0) >= least(line));
  return pages.map((lines, at) => {
    const { first, last } = edges[at] ?? {};
    return lines.slice(runs(first) ? 1 : 0, runs(last) ? -1 : undefined);
  });
}

/**
 * Replaces each number in the text of a line by `#`, so that headers with different page numbers
 * are equal.
 */
const wordsOf = ({ text }: PdfLine): string => text.replace(/\d+/gu, '#');
