import { isLocalLink } from './local-ids.js';
import { type Attributes, webAddressOf } from './parse-article.js';
import { formulaParts, markdownFormula, type TextPart } from './written-formulas.js';

const MARKS: ReadonlyMap<string, string> = new Map([
  ['strong', '**'],
  ['b', '**'],
  ['em', '*'],
  ['i', '*'],
  ['s', '~~'],
  ['del', '~~'],
]);
/** A link to a footnote, which Markdown shows as a small number anyway. */
const FOOTNOTE = /^\[\^[^\]]+\]$/;
/** Elements that Markdown has no marks for. Each function returns the words as HTML or as plain text. */
const OTHERS: ReadonlyMap<string, (words: string) => string> = new Map([
  ['sub', (words: string) => `<sub>${words}</sub>`],
  ['sup', (words: string) => (FOOTNOTE.test(words) ? words : `<sup>${words}</sup>`)],
  ['rt', (words: string) => `(${words})`],
  // The brackets around a reading are added with the reading, because not every page has them.
  ['rp', () => ''],
]);
const CODE = new Set(['code', 'kbd', 'samp', 'tt']);

interface OpenInline {
  readonly tag: string;
  readonly attributes: Attributes;
  /** The number of entries in `parts` before the element. The text of the element begins at this index. */
  readonly from: number;
}

/** Collects the inline content of one paragraph as Markdown. */
export class InlineMarkdown {
  private parts: string[] = [];
  private opens: OpenInline[] = [];

  open(tag: string, attributes: Attributes): void {
    if (tag === 'br') {
      this.parts.push('\\\n');
    } else if (tag === 'img') {
      this.picture(attributes);
    } else if (MARKS.has(tag) || OTHERS.has(tag) || CODE.has(tag) || tag === 'a') {
      this.opens.push({ tag, attributes, from: this.parts.length });
    }
  }

  text(text: string): void {
    const isCode = this.opens.some(({ tag }) => CODE.has(tag));
    const line = text.replaceAll(/\s+/g, ' ');
    this.parts.push(...(isCode ? [line] : formulaParts(line).map(writtenPart)));
  }

  formula(tex: string, isDisplayed: boolean): void {
    this.parts.push(markdownFormula(tex, isDisplayed));
  }

  /** Adds Markdown that is already complete, such as a link to a footnote. */
  add(markdown: string): void {
    this.parts.push(markdown);
  }

  close(tag: string): void {
    if (this.opens.at(-1)?.tag === tag) {
      this.end(this.opens.pop());
    }
  }

  /** Returns the collected Markdown and starts a new paragraph. Returns an empty text if the paragraph has no words. */
  take(): string {
    while (this.opens.length > 0) {
      this.end(this.opens.pop());
    }
    const text = this.parts.join('');
    this.parts = [];
    const lines = text
      .replaceAll(/ {2,}/g, ' ')
      .replaceAll(/(?<! ) *\n */g, '\n')
      .trim();
    return lines.replace(/(?<!\\\n)(?:\\\n)+$/, '').replaceAll(LINE_START, startEscaped);
  }

  private end(element: OpenInline | undefined): void {
    if (element === undefined) {
      return;
    }
    const inside = this.parts.splice(element.from).join('');
    const words = inside.trim();
    const before = inside.slice(0, inside.length - inside.trimStart().length);
    const after = inside.slice(inside.trimEnd().length);
    this.parts.push(words === '' ? inside : `${before}${wrapped(element, words)}${after}`);
  }

  private picture({ src, alt = '' }: Attributes): void {
    const address = webAddressOf(src);
    if (address !== undefined) {
      this.parts.push(`![${escaped(alt.replaceAll(/\s+/g, ' '))}](${linked(address)})`);
    }
  }
}

function wrapped({ tag, attributes }: OpenInline, words: string): string {
  if (CODE.has(tag)) {
    return codeOf(words);
  }
  const other = OTHERS.get(tag);
  if (other !== undefined) {
    return other(words);
  }
  const mark = MARKS.get(tag);
  const href = addressOf(attributes);
  if (mark !== undefined || href === undefined) {
    return `${mark ?? ''}${words}${mark ?? ''}`;
  }
  return `[${words}](${linked(href)})`;
}

/** Returns code as Markdown. Longer marks enclose code that contains a backtick itself. */
const codeOf = (words: string): string =>
  words.includes('`') ? `\`\` ${words} \`\`` : `\`${words}\``;

const addressOf = ({ href = '' }: Attributes): string | undefined =>
  isLocalLink(href) ? href : webAddressOf(href);

const SPECIAL = /[\\`*_[\]<>~|]/g;
/** Matches the beginnings of lines that Markdown would interpret as a heading, list item or quote. */
const LINE_START = /^(?:#{1,6}|[+-]|\d{1,9}[.)]|=+)(?=\s|$)/gm;

const writtenPart = ({ text, isFormula, isDisplayed }: TextPart): string =>
  isFormula ? markdownFormula(text, isDisplayed) : escaped(text);

export const escaped = (text: string): string => text.replaceAll(SPECIAL, String.raw`\$&`);

const startEscaped = (start: string): string => start.replace(/(?=[^\d])/, '\\');

const UNFIT: Readonly<Record<string, string>> = { '(': '%28', ')': '%29', '<': '%3C', '>': '%3E' };

/** Encodes characters that could end the address of a Markdown link too early. */
export const linked = (address: string): string =>
  address.replaceAll(
    /[()<>]|\s/g,
    (character) => UNFIT[character] ?? encodeURIComponent(character),
  );
