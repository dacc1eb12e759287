import { escapeUTF8 } from 'entities';

import { isEmbeddedData } from '../../lib/extraction/media/embedded-pictures.js';
import { localIdOf } from './local-ids.js';
import { type HighlightLabels, MarkedText } from './marked-text.js';
import { mediaLink } from './media-link.js';
import { type ArticleParts, type Attributes, parseArticle, webAddressOf } from './parse-article.js';
import { findPassages, type MarkedPart, markedParts, type Passage, solidText } from './passages.js';
import { attributesOf, Headings, PARAGRAPHS, SHOWN_AS, VOID } from './shown-elements.js';
import { HeadingTexts, type ShownHeading } from './shown-headings.js';

/** The words that the reader adds to an article. */
export interface ShownLabels {
  readonly table: string;
  readonly picture: string;
  readonly video: string;
  readonly recording: string;
  readonly highlights: HighlightLabels;
}

/** The input of `showArticle`. */
export interface ArticleTask {
  readonly html: string;
  readonly labels: ShownLabels;
  /**
   * The address from which the reader loads each picture, keyed by its original address. The reader omits pictures
   * without an entry.
   */
  readonly pictures: ReadonlyMap<string, string>;
  readonly passages: readonly Passage[];
  /** The user's reading position in this article. */
  readonly position?: { readonly fraction: number; readonly paragraph: number | null } | undefined;
}

export interface ShownArticle {
  readonly html: string;
  /** The ids of those highlights that the article contains, in text order. */
  readonly found: readonly string[];
  /** The number of the paragraph at the user's reading position, where the user continues to read. */
  readonly resumeAt: number | undefined;
  /** The original addresses of the pictures that the article shows. */
  readonly placed: readonly string[];
  readonly headings: readonly ShownHeading[];
  /** The number of pictures of the article that are not shown, because the page has too many pictures. */
  readonly omitted: number;
}

/**
 * Converts an article to the HTML that the reader shows. Drops all elements and attributes that are not on a fixed
 * list, and marks highlights.
 */
export function showArticle(task: ArticleTask): ShownArticle {
  const passages = task.passages.length === 0 ? [] : found(task);
  const writer = new ArticleWriter(task, markedParts(passages));
  parseArticle(task.html, writer);
  const inOrder = passages.toSorted((one, other) => one.start - other.start);
  return {
    html: writer.html(),
    found: inOrder.map(({ id }) => id),
    resumeAt: task.position && writer.paragraphAt(task.position),
    placed: [...writer.placed],
    headings: writer.headingTexts.all(),
    omitted: writer.omitted,
  };
}

const found = ({ html, passages }: ArticleTask): ReturnType<typeof findPassages> =>
  findPassages(solidText(html), passages);

class ArticleWriter implements ArticleParts {
  readonly placed = new Set<string>();
  readonly headingTexts = new HeadingTexts();
  omitted = 0;
  private readonly out: string[] = [];
  private readonly headings = new Headings();
  private readonly marked: MarkedText;
  /** For each paragraph, the number of characters in the article before this paragraph. */
  private readonly paragraphs: number[] = [];
  private length = 0;
  private links = 0;
  /** The number of open tables, because a table can contain other tables. */
  private tables = 0;

  constructor(
    private readonly task: Pick<ArticleTask, 'pictures' | 'labels'>,
    parts: readonly MarkedPart[],
  ) {
    this.marked = new MarkedText(parts, task.labels.highlights);
  }

  open(tag: string, attributes: Attributes): void {
    if (tag === 'img') {
      this.picture(attributes);
      return;
    }
    const heading = this.headings.opened(tag);
    const shown = heading ?? SHOWN_AS.get(tag);
    if (shown === undefined) {
      return;
    }
    this.links += tag === 'a' ? 1 : 0;
    const opened = this.opened(tag, shown, attributes);
    if (heading !== undefined) {
      this.headingTexts.begin(this.paragraphs.length - 1, Number(heading.slice(1)));
    }
    this.out.push(opened);
  }

  /**
   * Returns an opening tag. A paragraph has the id of its number, so an element inside it gets the id that the article
   * declares. A table cannot contain this element, so it is before the table.
   */
  private opened(tag: string, shown: string, attributes: Attributes): string {
    const scroller = this.scrollerOf(tag);
    const id = localIdOf(attributes);
    const number = this.anchor(tag);
    const others = attributesOf(tag, attributes);
    if (id === undefined || number === '') {
      return `${scroller}<${shown}${number}${id === undefined ? '' : ` id="${id}"`}${others}>`;
    }
    const place = `<span id="${id}"></span>`;
    const [before, after] = tag === 'table' ? [place, ''] : ['', place];
    return `${scroller}${before}<${shown}${number}${others}>${after}`;
  }

  close(tag: string): void {
    const heading = this.headings.closed(tag);
    const shown = heading ?? SHOWN_AS.get(tag);
    if (heading !== undefined) {
      this.headingTexts.end();
    }
    if (shown !== undefined && !VOID.has(shown)) {
      this.links -= tag === 'a' ? 1 : 0;
      this.out.push(`</${shown}>${this.endOfScroller(tag)}`);
    }
  }

  text(text: string): void {
    this.length += text.length;
    this.headingTexts.add(text);
    this.out.push(this.marked.html(text, this.links > 0));
  }

  /** Writes a link in place of a recording or an embedded player. */
  media(tag: string, sources: readonly string[], title: string): void {
    const href = sources.map(webAddressOf).find((source) => source !== undefined);
    if (href === undefined || this.links > 0) {
      return;
    }
    const { recording, video } = this.task.labels;
    this.out.push(mediaLink({ kind: tag === 'audio' ? recording : video, href, title }));
  }

  html(): string {
    return this.out.join('');
  }

  paragraphAt({ fraction, paragraph }: NonNullable<ArticleTask['position']>): number | undefined {
    const last = this.paragraphs.length - 1;
    if (last < 0 || (paragraph !== null && paragraph <= last)) {
      return paragraph === null || last < 0 ? undefined : paragraph;
    }
    const read = fraction * this.length;
    const next = this.paragraphs.findIndex((before) => before > read);
    return next < 0 ? last : Math.max(0, next - 1);
  }

  /**
   * Returns the beginning of an element around a table. A wide table scrolls inside this element, also with the keys of
   * the keyboard.
   */
  private scrollerOf(tag: string): string {
    if (tag !== 'table') {
      return '';
    }
    this.tables += 1;
    return this.tables === 1
      ? `<div class="wide" tabindex="0" role="region" aria-label="${escapeUTF8(this.task.labels.table)}">`
      : '';
  }

  private endOfScroller(tag: string): string {
    this.tables -= tag === 'table' ? 1 : 0;
    return tag === 'table' && this.tables === 0 ? '</div>' : '';
  }

  private anchor(tag: string): string {
    if (!PARAGRAPHS.has(tag)) {
      return '';
    }
    this.paragraphs.push(this.length);
    return ` id="p-${this.paragraphs.length - 1}"`;
  }

  private picture(attributes: Attributes): void {
    const { src = '', alt = '' } = attributes;
    const here = isEmbeddedData(src) ? src : this.task.pictures.get(src);
    if (here === undefined) {
      // Only the pictures of the article have a number. Other pictures are decoration.
      this.omitted += attributes['data-image'] === undefined ? 0 : 1;
      return;
    }
    this.placed.add(src);
    // Adds an alternative text to a picture inside a link, because screen readers need a name for each link.
    const words = alt === '' && this.links > 0 ? this.task.labels.picture : alt;
    this.out.push(
      `<img src="${escapeUTF8(here)}" alt="${escapeUTF8(words)}"${attributesOf('img', attributes)} loading="lazy" decoding="async">`,
    );
  }
}
