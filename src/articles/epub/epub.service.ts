import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { Injectable } from '@nestjs/common';

import { embeddedIn } from '../../lib/extraction/media/embedded-pictures.js';
import {
  contentEntry as file,
  type StoredEntry,
  type ZipEntry,
  zipped,
} from '../../lib/util/zipped.js';
import { ServiceBusyError } from '../../platform/common/common.errors.js';
import { message } from '../../platform/i18n/message.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { mediaOf } from '../../reading-list/get/page.presenter.js';
import { ArticlesService, type OpenedItem } from '../articles.service.js';
import { ImagesService, thumbnailSource } from '../images/images.service.js';
import { ArticleReader } from '../reading/article-reader.js';
import { Book, type Collection, EARLIEST } from './book.js';
import { BookPictures, type FoundPictures } from './book-pictures.js';
import { type ChapterFacts, factsOf, lineOfFacts, noticeOf } from './chapter.js';
import { type BookWriter, type EpubModel, EpubTemplates } from './epub-templates.js';
import { epubName, type FileName } from './file-name.js';
import type { ChapterText } from './xhtml/chapter-text.js';

/** The maximum number of articles in a book. Larger books open slowly on e-readers. */
export const MOST_ARTICLES = 500;
export const EPUB_TYPE = 'application/epub+zip';

/** A finished book, with the name and the bytes of its file. */
export interface EpubFile {
  readonly name: FileName;
  readonly bytes: Buffer;
}

interface EpubOptions {
  /**
   * The size limit in bytes for all pictures of the book. If the pictures exceed the limit, the book omits some of them
   * and says so in a note.
   */
  readonly pictureBytes?: number | undefined;
  /**
   * The function to call for each item whose article is in the book. The function is not called for an item whose
   * chapter shows a notice instead of the article.
   */
  readonly onText?: (itemId: string) => void;
}

interface CollectionOptions extends EpubOptions {
  /**
   * True to add chapters for pages that have not been fetched. Such a chapter shows a notice. By default, the book
   * omits these pages.
   */
  readonly withUnfetched?: boolean;
}

/**
 * Writes articles as books for e-readers. The format is EPUB 3.3, which e-readers that support only EPUB 2 can open too
 * (docs/decisions/0071).
 */
@Injectable()
export class EpubService {
  constructor(
    private readonly articles: ArticlesService,
    private readonly reader: ArticleReader,
    private readonly images: ImagesService,
    private readonly templates: EpubTemplates,
  ) {}

  /**
   * Returns the article of an item as a book. If the article is not available in time, the book shows a notice, because
   * clients of wallabag expect a book for each entry.
   * @throws ItemNotFoundError
   */
  async ofItem(userId: string, row: ItemRow, options: EpubOptions = {}): Promise<EpubFile> {
    const opened = await this.articles.open(userId, row.item_id);
    const book = new Book(userId, undefined, this.pictures(userId, options));
    const bytes = await buffer(zipped(this.files(book, [opened], options)));
    return { name: articleName(factsOf(opened).title, row), bytes };
  }

  /** Streams one book with the articles of up to MOST_ARTICLES items. The book is written while the stream is read. */
  stream(
    userId: string,
    rows: AsyncIterable<ItemRow>,
    { title, ...options }: Collection & CollectionOptions,
  ): Readable {
    const book = new Book(userId, { title }, this.pictures(userId, options));
    const opened = this.opened(userId, rows, { book, ...options });
    return Readable.from(zipped(this.files(book, opened, options)), { objectMode: false });
  }

  private pictures(userId: string, { pictureBytes }: EpubOptions): BookPictures {
    return new BookPictures(userId, this.images, pictureBytes);
  }

  private async *opened(
    userId: string,
    rows: AsyncIterable<ItemRow>,
    { book, withUnfetched = false }: { readonly book: Book } & CollectionOptions,
  ): AsyncGenerator<OpenedItem> {
    for await (const row of rows) {
      if (book.size >= MOST_ARTICLES) {
        book.isCut = true;
        return;
      }
      const opened = await this.articles.stored(userId, row);
      if (opened.page !== undefined || withUnfetched) {
        yield opened;
      }
    }
  }

  private async *files(
    book: Book,
    items: AsyncIterable<OpenedItem> | Iterable<OpenedItem>,
    { onText }: EpubOptions,
  ): AsyncGenerator<ZipEntry | StoredEntry> {
    // The uncompressed file `mimetype` must come first, so that the archive begins with its type (OCF section 4.3).
    const writer = await this.templates.writerFor(book.userId);
    yield { path: 'mimetype', stored: Buffer.from(EPUB_TYPE), modifiedAt: EARLIEST };
    yield file('META-INF/container.xml', writer.write('container', {}), EARLIEST);
    yield file('book/style.css', writer.write('style', {}), EARLIEST);
    for await (const opened of items) {
      if (yield* this.chapter({ book, writer }, opened)) {
        onText?.(opened.item.item_id);
      }
    }
    const { savedAt } = book;
    yield file('book/nav.xhtml', writer.write('nav', book.contents()), savedAt);
    yield file('book/toc.ncx', writer.write('ncx', book.navigation()), savedAt);
    yield file('book/package.opf', writer.write('package', book.package()), savedAt);
  }

  /** Writes a chapter of the book. Returns true if the chapter contains the article, and false if it shows a notice. */
  private async *chapter(
    { book, writer }: BookParts,
    opened: OpenedItem,
  ): AsyncGenerator<ZipEntry, boolean> {
    const { item, page } = opened;
    const front = thumbnailSource(item);
    const own = picturesOf(opened);
    const found = await book.pictures.find(allSources(opened, front));
    const hrefs = new Map([...found.paths].map(([src, { href }]) => [src, href]));
    const text = await this.textOf(page?.html, hrefs);
    const lead = leadOf(own, text);
    const cover = book.cover === undefined ? front : undefined;
    const facts = factsOf(opened);
    for (const src of new Set([cover, lead, ...(text?.placed ?? [])])) {
      yield* placed(book, src, { found, savedAt: facts.savedAt });
    }
    book.takeCover(cover, found);
    yield file(
      `book/${book.nextHref()}`,
      writer.write('chapter', viewOf(opened, { facts, text, hrefs, lead, found }, writer)),
      facts.savedAt,
    );
    book.add(item.item_id, facts);
    return text !== undefined;
  }

  /**
   * Returns the text of a chapter. If too many articles are queued, returns undefined instead of
   * throwing an error, so that the rest of the book is still written.
   */
  private async textOf(
    html: string | undefined,
    pictures: ReadonlyMap<string, string>,
  ): Promise<ChapterText | undefined> {
    try {
      return html === undefined ? undefined : await this.reader.chapter({ html, pictures });
    } catch (error) {
      if (error instanceof ServiceBusyError) {
        return undefined;
      }
      throw error;
    }
  }
}

interface BookParts {
  readonly book: Book;
  readonly writer: BookWriter;
}

interface ChapterParts {
  readonly facts: ChapterFacts;
  readonly text: ChapterText | undefined;
  /** The path of each picture in the book, keyed by its original address. */
  readonly hrefs: ReadonlyMap<string, string>;
  /** The original address of the picture that the chapter shows above its text. */
  readonly lead: string | undefined;
  readonly found: FoundPictures;
}

/** Returns the addresses of all pictures of a chapter: its thumbnail, its own pictures, and those inside its HTML. */
const allSources = (opened: OpenedItem, front: string | undefined): string[] => [
  ...(front === undefined ? [] : [front]),
  ...picturesOf(opened),
  ...embeddedIn(opened.page?.html ?? ''),
];

const picturesOf = ({ item, page }: OpenedItem): readonly string[] =>
  (page?.page.item.media ?? mediaOf(item)).images.map(({ src }) => src);

/**
 * Returns the first picture of the page, which the chapter shows above its text. Returns undefined if the text already
 * contains this picture.
 */
function leadOf([first]: readonly string[], text: ChapterText | undefined): string | undefined {
  return first !== undefined && text?.placed.includes(first) !== true ? first : undefined;
}

/** Yields the file of a picture for the archive, unless the book already contains the picture. */
function* placed(
  book: Book,
  src: string | undefined,
  { found, savedAt }: { readonly found: FoundPictures; readonly savedAt: Date },
): Generator<ZipEntry> {
  const content = src === undefined ? undefined : book.pictures.place(src, found);
  if (src !== undefined && content !== undefined) {
    yield file(`book/${found.paths.get(src)?.href ?? ''}`, content, savedAt);
  }
}

function viewOf(
  opened: OpenedItem,
  { facts, text, hrefs, lead = '', found }: ChapterParts,
  { translator }: BookWriter,
): EpubModel<'chapter'> {
  const isTooMuch = opened.page?.html !== undefined && text === undefined;
  const cut = found.isCut ? WITHOUT_PICTURES : undefined;
  return {
    ...facts,
    facts: lineOfFacts(facts, translator),
    text: text?.xhtml,
    picture: hrefs.get(lead),
    notice: isTooMuch ? TOO_MUCH : (noticeOf(opened) ?? cut),
  };
}

const WITHOUT_PICTURES = message('epub.withoutPictures');
const TOO_MUCH = message('epub.tooLarge');

/** Returns the file name of a book with the article of an item. */
export const articleName = (title: string, { item_id: itemId }: ItemRow): FileName =>
  epubName(title, `article-${itemId}`);
