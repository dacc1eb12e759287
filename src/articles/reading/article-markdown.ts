import { InlineMarkdown } from './inline-markdown.js';
import { type ArticleParts, type Attributes, parseArticle, webAddressOf } from './parse-article.js';

/**
 * Converts the HTML of an article to Markdown. The highest headings in the article become headings of level 2, because
 * level 1 is for the title.
 */
export function articleMarkdown(html: string): string {
  const writer = new MarkdownWriter();
  parseArticle(html, writer);
  return writer.markdown();
}

/**
 * An open quote or list item, with the prefixes of its lines in Markdown: `first` for the first
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
  /** The cells of the table row that is being converted. Undefined outside of a row. */
  private row: string[] | undefined;
  private isFirstRow = false;
  private preformatted: string | undefined;

  open(tag: string, attributes: Attributes): void {
    const [, level] = HEADING.exec(tag) ?? [];
    if (BLOCKS.has(tag) || level !== undefined) {
      this.flush();
      this.isFirstRow ||= tag === 'table';
      this.heading = level === undefined ? '' : `${'#'.repeat(levelOf(level))} `;
    } else if (!this.openContainer(tag, attributes)) {
      this.openRow(tag);
      this.inline.open(tag, attributes);
    }
  }

  close(tag: string): void {
    if (tag === 'pre') {
      this.closePreformatted();
    } else if (CELLS.has(tag)) {
      this.row?.push(this.inline.take().replaceAll('\n', ' '));
    } else if (tag === 'tr') {
      this.closeRow();
    } else if (BLOCKS.has(tag) || HEADING.test(tag)) {
      this.flush();
    } else if (!this.closeContainer(tag)) {
      this.inline.close(tag);
    }
  }

  text(text: string): void {
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

  markdown(): string {
    this.flush();
    return this.blocks.join('');
  }

  private openContainer(tag: string, { start }: Attributes): boolean {
    if (tag === 'ul' || tag === 'ol') {
      this.flush();
      this.lists.push({ isOrdered: tag === 'ol', count: numberOf(start) - 1 });
    } else if (tag === 'li') {
      this.flush();
      this.containers.push(entryOf(this.lists.at(-1)));
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

  private openRow(tag: string): void {
    if (tag === 'tr') {
      this.flush();
      this.row = [];
    } else if (tag === 'hr') {
      this.flush();
      this.write(['---']);
    }
  }

  private closeRow(): void {
    const row = this.row ?? [];
    this.row = undefined;
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
    this.write([fence, ...text.split('\n'), fence]);
  }

  /**
   * Ends the current paragraph. Inside a table row, adds a space instead, because a cell in Markdown cannot contain
   * paragraphs.
   */
  private flush(): void {
    if (this.row !== undefined) {
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
