import { InlineMarkdown } from './inline-markdown.js';
import { BACK_LINK, isLocalLink, isNote, localIdOf, NOTE_LINK } from './local-ids.js';
import { jumpsIn, labelOf, languageOf } from './markdown-labels.js';
import { type ArticleParts, type Attributes, parseArticle, webAddressOf } from './parse-article.js';
import { TableCells } from './table-cells.js';

/**
 * Converts the HTML of an article to Markdown. The highest headings in the article become headings of level 2, because
 * level 1 is for the title.
 */
export function articleMarkdown(html: string): string {
  const writer = new MarkdownWriter(jumpsIn(html));
  parseArticle(html, writer);
  return writer.markdown();
}

/**
 * An open quote, list item or footnote, with the prefixes of its lines in Markdown: `first` for the first
 * line, and `rest` for all other lines.
 */
interface Container {
  readonly tag: string;
  readonly first: string;
  readonly rest: string;
  isBegun: boolean;
}

interface OpenList {
  readonly isOrdered: boolean;
  count: number;
}

const HEADING = /^h([1-6])$/;
const LAST_LEVEL = 6;
const BLOCKS = new Set(
  'p div section article figure figcaption details summary dl dt dd table caption tbody thead tfoot'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);

class MarkdownWriter implements ArticleParts {
  private readonly blocks: string[] = [];
  private readonly containers: Container[] = [];
  private readonly lists: OpenList[] = [];
  private inline = new InlineMarkdown();
  private heading = '';
  private cells = new TableCells();
  private isInRow = false;
  private isFirstRow = false;
  private preformatted: string | undefined;
  private language = '';
  /** True inside a link to a note or back, whose text the syntax of footnotes replaces. */
  private isSilent = false;
  /** For each open block, true if it is a footnote. */
  private readonly notes: boolean[] = [];

  constructor(private readonly jumps: ReadonlySet<string>) {}

  open(tag: string, attributes: Attributes): void {
    if (tag === 'a' && this.openNoteLink(attributes)) {
      return;
    }
    if (this.preformatted !== undefined) {
      this.language ||= languageOf(tag, attributes);
      return;
    }
    this.openBlock(tag, attributes);
    const id = localIdOf(attributes);
    if (id !== undefined && this.jumps.has(id)) {
      this.inline.add(`<a id="${id}"></a>`);
    }
  }

  private openBlock(tag: string, attributes: Attributes): void {
    const [, level] = HEADING.exec(tag) ?? [];
    if (BLOCKS.has(tag) || level !== undefined) {
      this.flush();
      this.openTable(tag);
      this.heading = level === undefined ? '' : `${'#'.repeat(levelOf(level))} `;
      this.openNote(tag, attributes);
    } else if (!this.openContainer(tag, attributes)) {
      this.openRow(tag, attributes);
      this.inline.open(tag, attributes);
    }
  }

  close(tag: string): void {
    if (tag === 'a' && this.isSilent) {
      this.isSilent = false;
    } else if (this.preformatted === undefined || tag === 'pre') {
      this.closeBlock(tag);
    }
  }

  private closeBlock(tag: string): void {
    if (tag === 'pre') {
      this.closePreformatted();
    } else if (CELLS.has(tag)) {
      this.cells.closeCell(this.inline.take().replaceAll(/\\?\n/g, ' '));
    } else if (tag === 'tr') {
      this.closeRow();
    } else if (BLOCKS.has(tag) || HEADING.test(tag)) {
      this.flush();
      this.closeNote();
    } else if (!this.closeContainer(tag)) {
      this.inline.close(tag);
    }
  }

  text(text: string): void {
    if (this.isSilent) {
      return;
    }
    if (this.preformatted === undefined) {
      this.inline.text(text);
    } else {
      this.preformatted += text;
    }
  }

  media(_tag: string, sources: readonly string[], title: string): void {
    const href = sources.map(webAddressOf).find((source) => source !== undefined);
    if (href !== undefined) {
      this.inline.open('a', { href });
      this.inline.text(title.trim() === '' ? href : title);
      this.inline.close('a');
    }
  }

  formula(text: string, isDisplayed: boolean): void {
    this.inline.formula(text, isDisplayed);
  }

  markdown(): string {
    this.flush();
    return this.blocks.join('');
  }

  /** Writes a link to a note as `[^1]`. Omits a link back, because Markdown adds it to each footnote. */
  private openNoteLink({ role, href = '' }: Attributes): boolean {
    this.isSilent = isLocalLink(href) && (role === NOTE_LINK || role === BACK_LINK);
    if (this.isSilent && role === NOTE_LINK) {
      this.inline.add(`[^${labelOf(href.slice(1))}]`);
    }
    return this.isSilent;
  }

  private openNote(tag: string, attributes: Attributes): void {
    const id = isNote(attributes) ? localIdOf(attributes) : undefined;
    this.notes.push(id !== undefined);
    if (id !== undefined) {
      this.containers.push(noteOf(tag, id));
    }
  }

  private closeNote(): void {
    if (this.notes.pop() === true) {
      this.containers.pop();
    }
  }

  private openContainer(tag: string, attributes: Attributes): boolean {
    const { start } = attributes;
    const id = isNote(attributes) ? localIdOf(attributes) : undefined;
    if (tag === 'ul' || tag === 'ol') {
      this.flush();
      this.lists.push({ isOrdered: tag === 'ol', count: numberOf(start) - 1 });
    } else if (tag === 'li') {
      this.flush();
      this.containers.push(id === undefined ? entryOf(this.lists.at(-1)) : noteOf(tag, id));
    } else if (tag === 'blockquote') {
      this.flush();
      this.containers.push({ tag, first: '> ', rest: '> ', isBegun: false });
    } else if (tag === 'pre') {
      this.flush();
      this.preformatted = '';
    } else {
      return false;
    }
    return true;
  }

  private closeContainer(tag: string): boolean {
    const isList = tag === 'ul' || tag === 'ol';
    if (!isList && tag !== 'li' && tag !== 'blockquote') {
      return false;
    }
    this.flush();
    if (isList) {
      this.lists.pop();
    } else if (this.containers.at(-1)?.tag === tag) {
      this.containers.pop();
    }
    return true;
  }

  private openTable(tag: string): void {
    if (tag === 'table') {
      this.isFirstRow = true;
      this.cells = new TableCells();
    }
  }

  private openRow(tag: string, attributes: Attributes): void {
    if (tag === 'tr') {
      this.flush();
      this.isInRow = true;
      this.cells.openRow();
    } else if (CELLS.has(tag)) {
      this.cells.openCell(attributes);
    } else if (tag === 'hr') {
      this.flush();
      this.write(['---']);
    }
  }

  private closeRow(): void {
    const row = this.cells.closeRow();
    this.isInRow = false;
    const line = `| ${row.join(' | ')} |`;
    if (row.length > 0) {
      this.write(
        this.isFirstRow ? [line, `|${' --- |'.repeat(row.length)}`] : [line],
        !this.isFirstRow,
      );
    }
    this.isFirstRow = false;
  }

  private closePreformatted(): void {
    const text = (this.preformatted ?? '').replace(/\n$/, '');
    this.preformatted = undefined;
    const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
    this.write([`${fence}${this.language}`, ...text.split('\n'), fence]);
    this.language = '';
  }

  /**
   * Ends the current paragraph. Inside a table row, adds a space instead, because a cell in Markdown cannot contain
   * paragraphs.
   */
  private flush(): void {
    if (this.isInRow) {
      this.inline.text(' ');
      return;
    }
    const text = this.inline.take();
    if (text !== '') {
      const lines = this.heading === '' ? text.split('\n') : [text.replaceAll(/\\?\n/g, ' ')];
      this.write(lines.map((line, at) => (at === 0 ? `${this.heading}${line}` : line)));
    }
    this.heading = '';
  }

  private write(lines: readonly string[], goesOn = false): void {
    const begun = this.containers.filter(({ isBegun }) => isBegun).map((one) => one.rest);
    if (this.blocks.length > 0 && !goesOn) {
      this.blocks.push(`${begun.join('').trimEnd()}\n`);
    }
    const first = this.containers.map((one) => (one.isBegun ? one.rest : one.first)).join('');
    const rest = this.containers.map((one) => one.rest).join('');
    for (const container of this.containers) {
      container.isBegun = true;
    }
    this.blocks.push(
      ...lines.map((line, at) => `${`${at === 0 ? first : rest}${line}`.trimEnd()}\n`),
    );
  }
}

const noteOf = (tag: string, id: string): Container => ({
  tag,
  first: `[^${labelOf(id)}]: `,
  rest: '    ',
  isBegun: false,
});

const levelOf = (level: string): number => Math.min(Math.max(2, Number(level)), LAST_LEVEL);

const numberOf = (start: string | undefined): number =>
  start !== undefined && /^\d{1,5}$/.test(start) ? Number(start) : 1;

function entryOf(list: OpenList | undefined): Container {
  if (list?.isOrdered !== true) {
    return { tag: 'li', first: '- ', rest: '  ', isBegun: false };
  }
  list.count += 1;
  const first = `${list.count}. `;
  return { tag: 'li', first, rest: ' '.repeat(first.length), isBegun: false };
}

const longestRun = (text: string): number =>
  [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0);
