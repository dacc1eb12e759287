import { escapeUTF8 } from 'entities';

import type { HighlightColor } from '../../lib/util/highlight-color.js';
import type { MarkedPart } from './passages.js';
import { withoutBlanks } from './passages.js';

/** The descriptions of a highlight for each color, for users who do not see the color. */
export type HighlightLabels = Readonly<
  Record<HighlightColor, { readonly plain: string; readonly noted: string }>
>;

/**
 * Converts the texts of an article to HTML one after the other, and puts `<mark>` elements around highlighted text. The
 * marked text is a link to the highlight at the end of the page, unless it is a link of the article.
 */
export class MarkedText {
  /** The number of characters that have been converted so far, not counting white space. */
  private offset = 0;
  private next = 0;
  private readonly begun = new Set<string>();
  /** The highlights with a link. Only the first link of a highlight is in the order of the Tab key. */
  private readonly linked = new Set<string>();

  constructor(
    private readonly parts: readonly MarkedPart[],
    private readonly labels: HighlightLabels,
  ) {}

  /** @param isInLink true if the text is inside a link of the article */
  html(text: string, isInLink: boolean): string {
    const part = this.parts[this.next];
    if (part === undefined) {
      return escapeUTF8(text);
    }
    return this.offset + text.length <= part.start
      ? this.passed(text)
      : this.cut(text, isInLink).join('');
  }

  /** Converts a text that no highlight covers. */
  private passed(text: string): string {
    this.offset += withoutBlanks(text).length;
    return escapeUTF8(text);
  }

  private cut(text: string, isInLink: boolean): string[] {
    const pieces: string[] = [];
    let from = 0;
    let current = this.partAt();
    for (let at = 0; at < text.length; at += 1) {
      if (isBlank(text, at)) {
        continue;
      }
      const part = this.partAt();
      if (part !== current) {
        pieces.push(this.piece(text.slice(from, at), current, isInLink));
        [from, current] = [at, part];
      }
      this.offset += 1;
    }
    pieces.push(this.piece(text.slice(from), current, isInLink));
    return pieces;
  }

  /**
   * Returns the highlighted part of the article that contains the next character. Returns undefined if no highlight
   * covers the character.
   */
  private partAt(): MarkedPart | undefined {
    while (this.offset >= (this.parts[this.next]?.end ?? Infinity)) {
      this.next += 1;
    }
    const part = this.parts[this.next];
    return part !== undefined && part.start <= this.offset ? part : undefined;
  }

  /** Returns true at the end of the part if none of its highlights continues in the next part. */
  private isOver({ end, ids }: MarkedPart): boolean {
    const next = this.parts.find(({ start }) => start === end);
    return this.offset >= end && !ids.some((id) => next?.ids.includes(id));
  }

  /**
   * Converts a text to HTML with marks. White space after a highlight stays unmarked. A text of
   * only white space stays unmarked too, because HTML allows no marks in some places, such as
   * between table rows.
   */
  private piece(text: string, part: MarkedPart | undefined, isInLink: boolean): string {
    const words = part !== undefined && this.isOver(part) ? text.trimEnd() : text;
    if (part === undefined || words.trim() === '') {
      return escapeUTF8(text);
    }
    const [first, ...others] = part.begins.filter((id) => !this.begun.has(id));
    part.begins.forEach((id) => this.begun.add(id));
    const anchor = first === undefined ? '' : ` id="highlight-${escapeUTF8(first)}"`;
    const further = others.map((id) => `<span id="highlight-${escapeUTF8(id)}"></span>`).join('');
    const ids = escapeUTF8(part.ids.join(' '));
    const rest = escapeUTF8(text.slice(words.length));
    const { id, color } = part.top;
    const data = `data-highlights="${ids}" data-top="${escapeUTF8(id)}" data-color="${color}"`;
    const content = isInLink ? escapeUTF8(words) : this.link(words, part.top);
    return `<mark class="highlight"${anchor} ${data}>${further}${content}</mark>${rest}`;
  }

  private link(words: string, { id, color, hasNote }: MarkedPart['top']): string {
    const { plain, noted } = this.labels[color];
    const rest = this.linked.has(id)
      ? ' tabindex="-1"'
      : ` title="${escapeUTF8(hasNote ? noted : plain)}"`;
    this.linked.add(id);
    return `<a href="#note-${escapeUTF8(id)}"${rest}>${escapeUTF8(words)}</a>`;
  }
}

const BLANK = /[\s\u00AD\u200B-\u200D\u2060\uFEFF]/;
const FIRST_WIDE = 0x80;
const SPACE = 0x20;

/**
 * Returns true if the character is white space. Checks ASCII characters without the regular expression, which is faster
 * for most texts.
 */
function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < FIRST_WIDE
    ? code <= SPACE && BLANK.test(text.charAt(at))
    : BLANK.test(text.charAt(at));
}
