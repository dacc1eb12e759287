/** A part of a text: a formula in TeX, or ordinary text. */
export interface TextPart {
  readonly text: string;
  /** True if the part is a formula. Its text then has no delimiters. */
  readonly isFormula: boolean;
  /** True if the formula has a line of its own. */
  readonly isDisplayed: boolean;
}

interface Delimiters {
  readonly end: string;
  readonly isDisplayed: boolean;
}

const DELIMITERS: ReadonlyMap<string, Delimiters> = new Map([
  ['$$', { end: '$$', isDisplayed: true }],
  ['$', { end: '$', isDisplayed: false }],
  [String.raw`\(`, { end: String.raw`\)`, isDisplayed: false }],
  [String.raw`\[`, { end: String.raw`\]`, isDisplayed: true }],
]);
const START = /\$\$?|\\[([]/g;
const LONGEST = 2_000;
/** A single dollar encloses a formula only if the text contains a character of TeX, because prices have dollars too. */
const TEX = /[\\^_{}=<>]|^[a-z]$/i;

/** Divides a text into formulas in TeX and the text between them. */
export function formulaParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  const ends = new EndFinder(text);
  let from = 0;
  for (const { 0: start, index } of text.matchAll(START)) {
    const delimiters = DELIMITERS.get(start);
    if (delimiters === undefined || index < from) {
      continue;
    }
    const first = index + start.length;
    const end = ends.find(delimiters.end, first);
    const tex = text.slice(first, end).trim();
    if (end - first <= LONGEST && isFormula(start, text.slice(first, end), text[end + 1])) {
      parts.push(plain(text.slice(from, index)));
      parts.push({ text: tex, isFormula: true, isDisplayed: delimiters.isDisplayed });
      from = end + delimiters.end.length;
    }
  }
  return [...parts, plain(text.slice(from))].filter((part) => part.text !== '');
}

const plain = (text: string): TextPart => ({ text, isFormula: false, isDisplayed: false });

/** `next` is the character after the closing dollar. The sums in "$5 and $6" are not a formula. */
const isFormula = (start: string, inside: string, next = ''): boolean =>
  start === '$'
    ? inside === inside.trim() && TEX.test(inside) && !/\d/.test(next)
    : inside.trim() !== '';

/** Finds the ends of formulas in linear time: it searches each part of the text only once for each end. */
class EndFinder {
  private readonly known = new Map<string, number>();

  constructor(private readonly text: string) {}

  /** Returns the offset of the first `end` at or after `from`. Returns Infinity if there is none. */
  find(end: string, from: number): number {
    const last = this.known.get(end) ?? -1;
    if (last >= from) {
      return last;
    }
    const at = this.text.indexOf(end, from);
    const found = at < 0 ? Infinity : at;
    this.known.set(end, found);
    return found;
  }
}

/** Returns a formula in the notation of Markdown. */
export const markdownFormula = (tex: string, isDisplayed: boolean): string => {
  const mark = isDisplayed ? '$$' : '$';
  return `${mark}${tex.replaceAll(/\s+/g, ' ').trim()}${mark}`;
};
