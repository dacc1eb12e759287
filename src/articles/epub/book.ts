import { hash } from 'node:crypto';

import type { BookPictures, FoundPictures } from './book-pictures.js';
import type { ChapterFacts } from './chapter.js';
import type { ContentsEntry, EpubModel } from './epub-templates.js';

/**
 * The data of a book with several articles, which has its own title. A book with one article uses the title of the
 * article.
 */
export interface Collection {
  readonly title: string;
}

interface Chapter extends ContentsEntry {
  readonly id: string;
}

/**
 * The language of a book whose articles have no known language. E-readers and bookstores reject a book without a
 * language.
 */
const USUAL_LANGUAGE = 'en';
const SERVICE = 'Satchel';
/**
 * The minimum modification time of a file in a book, because ZIP archives cannot store local times
 * before 1980. January 2 of this time is in 1980 in every time zone.
 */
export const EARLIEST = new Date('1980-01-02T00:00:00Z');

/**
 * Collects the data of all chapters while a book is written. The package file and the table of contents need this data,
 * so they are written last.
 */
export class Book {
  /** The id of the cover picture in the package file. Undefined until an article with a picture is added. */
  private coverId: string | undefined;
  /** True if the book lacks some of the requested articles because it has reached the maximum number of articles. */
  isCut = false;
  private readonly chapters: Chapter[] = [];
  private readonly languages = new Set<string>();
  private readonly ids: string[] = [];
  private first: ChapterFacts | undefined;
  private rightToLeft = 0;
  /** The modification time of the book: the latest time at which one of its articles was saved. */
  savedAt = EARLIEST;

  constructor(
    readonly userId: string,
    private readonly collection: Collection | undefined,
    readonly pictures: BookPictures,
  ) {}

  get cover(): string | undefined {
    return this.coverId;
  }

  get size(): number {
    return this.chapters.length;
  }

  /** Uses a picture as the cover of the book, unless the book already has a cover. */
  takeCover(src: string | undefined, { paths }: FoundPictures): void {
    this.coverId ??= src === undefined ? undefined : paths.get(src)?.id;
  }

  nextHref(): string {
    return `chapter-${this.chapters.length + 1}.xhtml`;
  }

  add(itemId: string, facts: ChapterFacts): void {
    const href = this.nextHref();
    this.chapters.push({ href, title: facts.title, id: `chapter-${this.chapters.length + 1}` });
    this.ids.push(itemId);
    this.first ??= facts;
    this.rightToLeft += facts.isRightToLeft ? 1 : 0;
    this.savedAt = facts.savedAt > this.savedAt ? facts.savedAt : this.savedAt;
    if (facts.language !== undefined) {
      this.languages.add(facts.language);
    }
  }

  contents(): EpubModel<'nav'> {
    return { title: this.title, isCut: this.isCut, chapters: this.chapters };
  }

  navigation(): EpubModel<'ncx'> {
    const { identifier, title, hasContents, chapters } = this;
    return { identifier, title, hasContents, chapters };
  }

  package(): EpubModel<'package'> {
    const only = this.collection === undefined ? this.first : undefined;
    return {
      identifier: this.identifier,
      title: this.title,
      languages: this.languages.size === 0 ? [USUAL_LANGUAGE] : [...this.languages],
      ...(only === undefined ? OF_MANY : originOf(only)),
      modified: `${this.savedAt.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`,
      cover: this.cover,
      chapters: this.chapters,
      pictures: this.pictures.placed,
      hasContents: this.hasContents,
      isRightToLeft: this.rightToLeft > this.chapters.length / 2,
    };
  }

  private get title(): string {
    return this.collection?.title ?? this.first?.title ?? SERVICE;
  }

  /** True if the book has a table of contents. Only a book with a single article has none. */
  private get hasContents(): boolean {
    return this.collection !== undefined;
  }

  /**
   * The unique identifier of the book, computed from its articles and their order. An e-reader replaces an older book
   * with the same identifier.
   */
  private get identifier(): string {
    const title = this.collection?.title ?? '';
    return `urn:uuid:${uuidOf(JSON.stringify([this.userId, title, ...this.ids]))}`;
  }
}

type Origin = Pick<
  EpubModel<'package'>,
  'creators' | 'publisher' | 'published' | 'source' | 'subjects'
>;

const OF_MANY: Origin = {
  creators: [SERVICE],
  publisher: undefined,
  published: undefined,
  source: undefined,
  subjects: [],
};

const originOf = (facts: ChapterFacts): Origin => ({
  creators: creatorsOf(facts),
  publisher: facts.site,
  published: facts.published,
  source: facts.source,
  subjects: facts.tags,
});

/**
 * Returns the creators of an article for the metadata of its book: the authors, or the site if no author is known.
 * E-readers sort books by creator.
 */
const creatorsOf = ({ authors, site }: ChapterFacts): readonly string[] =>
  authors.length > 0 || site === '' ? authors : [site];

/** Computes a UUID of version 8 (RFC 9562 section 5.8) from a name. Equal names have equal UUIDs. */
function uuidOf(name: string): string {
  const digits = hash('sha256', `satchel epub ${name}`);
  const variant = ((parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
  return [
    ...[digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`],
    ...[`${variant}${digits.slice(17, 20)}`, digits.slice(20, 32)],
  ].join('-');
}
