import { escapeUTF8 } from 'entities';

import { MarkedText } from './marked-text.js';
import { type ArticleParts, type Attributes, parseArticle, webAddressOf } from './parse-article.js';
import { findPassages, type MarkedPart, markedParts, type Passage, solidText } from './passages.js';
import { attributesOf, Headings, PARAGRAPHS, SHOWN_AS, VOID } from './shown-elements.js';

/** The input of `showArticle`. */
export interface ArticleTask {
  readonly html: string;
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
}

/**
 * Converts an article to the HTML that the reader shows. Drops all elements and attributes that are not on a fixed
 * list, and marks highlights.
 */
export function showArticle(task: ArticleTask): ShownArticle {
  const passages = task.passages.length === 0 ? [] : found(task);
  const writer = new ArticleWriter(task.pictures, markedParts(passages));
  parseArticle(task.html, writer);
  const inOrder = passages.toSorted((one, other) => one.start - other.start);
  return {
    html: writer.html(),
    found: inOrder.map(({ id }) => id),
    resumeAt: task.position && writer.paragraphAt(task.position),
    placed: [...writer.placed],
  };
}

const found = ({ html, passages }: ArticleTask): ReturnType<typeof findPassages> =>
  findPassages(solidText(html), passages);

class ArticleWriter implements ArticleParts {
  readonly placed = new Set<string>();
  private readonly out: string[] = [];
  private readonly headings = new Headings();
  private readonly marked: MarkedText;
  /** For each paragraph, the number of characters in the article before this paragraph. */
  private readonly paragraphs: number[] = [];
  private length = 0;
  private links = 0;

  constructor(
    private readonly pictures: ReadonlyMap<string, string>,
    parts: readonly MarkedPart[],
  ) {
    this.marked = new MarkedText(parts);
  }

  open(tag: string, attributes: Attributes): void {
    if (tag === 'img') {
      this.picture(attributes);
      return;
    }
    const shown = this.headings.opened(tag) ?? SHOWN_AS.get(tag);
    if (shown === undefined) {
      return;
    }
    this.links += tag === 'a' ? 1 : 0;
    this.out.push(`<${shown}${this.anchor(tag)}${attributesOf(tag, attributes)}>`);
  }

  close(tag: string): void {
    const shown = this.headings.closed(tag) ?? SHOWN_AS.get(tag);
    if (shown !== undefined && !VOID.has(shown)) {
      this.links -= tag === 'a' ? 1 : 0;
      this.out.push(`</${shown}>`);
    }
  }

  text(text: string): void {
    this.length += text.length;
    this.out.push(this.marked.html(text));
  }

  /**
   * Writes a link in place of a recording or an embedded player. A player would reveal to its site that the user reads
   * the article.
   */
  media(tag: string, sources: readonly string[], title: string): void {
    const href = sources.map(webAddressOf).find((source) => source !== undefined);
    if (href === undefined || this.links > 0) {
      return;
    }
    const kind = tag === 'audio' ? 'Recording' : 'Video';
    const label = title.trim() === '' ? href : title;
    this.out.push(
      `<span class="media-link">${kind}: <a href="${escapeUTF8(href)}" rel="noopener noreferrer">${escapeUTF8(label)}</a></span>`,
    );
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

  private anchor(tag: string): string {
    if (!PARAGRAPHS.has(tag)) {
      return '';
    }
    this.paragraphs.push(this.length);
    return ` id="p-${this.paragraphs.length - 1}"`;
  }

  private picture(attributes: Attributes): void {
    const { src = '', alt = '' } = attributes;
    const here = this.pictures.get(src);
    if (here === undefined) {
      return;
    }
    this.placed.add(src);
    // Adds an alternative text to a picture inside a link, because screen readers need a name for each link.
    const words = alt === '' && this.links > 0 ? 'Picture' : alt;
    this.out.push(
      `<img src="${escapeUTF8(here)}" alt="${escapeUTF8(words)}"${attributesOf('img', attributes)} loading="lazy" decoding="async">`,
    );
  }
}
