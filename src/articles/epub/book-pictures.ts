import pLimit from 'p-limit';

import type { DeviceImage } from '../images/conversion-process.js';
import type { ImagesService } from '../images/images.service.js';

/**
 * The time limit in milliseconds for one picture of a book. The book omits a picture that takes longer. The conversion
 * of this picture continues, so that a later book can contain the picture.
 */
const PICTURE_MS = 4_000;
/**
 * The time limit in milliseconds for loading all pictures of one article. A book sends its first
 * byte only after the pictures of its first article are loaded. With this limit, the client
 * receives the first byte within 15 s, even if the service must also fetch the article's page.
 */
const ARTICLE_MS = 8_000;
/**
 * The total time limit in milliseconds for fetching and converting all pictures of a book. Cached pictures are added
 * even after this time.
 */
const BOOK_MS = 10 * 60_000;
/**
 * The number of pictures of one book that are fetched at the same time. The number is low, so that one book does not
 * delay the pictures of other books.
 */
const AT_ONCE = 3;
/**
 * The size limit in bytes for the pictures of one article. If the pictures of an article exceed the limit, the book
 * omits some of these pictures.
 */
const ARTICLE_BYTES = 20_000_000;
/**
 * The size limit in bytes for the pictures of one book. The limit is far below 4 GB, the maximum size of a ZIP archive
 * without 64-bit sizes.
 */
const BOOK_BYTES = 1_000_000_000;

/** A picture file in a book. */
interface BookPicture {
  readonly id: string;
  readonly href: string;
  readonly type: DeviceImage['type'];
}

/**
 * The pictures that a chapter can show, keyed by their original addresses. `bytes` contains only those pictures that no
 * earlier chapter has added to the book.
 */
export interface FoundPictures {
  readonly paths: ReadonlyMap<string, BookPicture>;
  readonly bytes: ReadonlyMap<string, Buffer>;
  /** True if some pictures of the article were left out because of the size limit. */
  readonly isCut: boolean;
}

/**
 * Loads the pictures of one book, within limits for time and total size. The book contains a picture only once, even if
 * several articles show it.
 */
export class BookPictures {
  readonly placed: BookPicture[] = [];
  private readonly bySource = new Map<string, BookPicture>();
  private readonly next = pLimit(AT_ONCE);
  private readonly endsAt = performance.now() + BOOK_MS;
  private bytesLeft: number;
  private found = 0;

  /** @param most - the size limit in bytes for all pictures of the book. */
  constructor(
    private readonly userId: string,
    private readonly images: Pick<ImagesService, 'findWithin'>,
    most = BOOK_BYTES,
  ) {
    this.bytesLeft = most;
  }

  /** Returns those pictures of an article that can be loaded within the limits for time and size. */
  async find(sources: readonly string[]): Promise<FoundPictures> {
    const endsAt = Math.min(this.endsAt, performance.now() + ARTICLE_MS);
    const unique = [...new Set(sources)];
    const most = Math.min(ARTICLE_BYTES, this.bytesLeft);
    const { images, isCut: isLeft } = await this.loaded(unique, { endsAt, most });
    const paths = new Map<string, BookPicture>();
    const bytes = new Map<string, Buffer>();
    let room = most;
    let isCut = isLeft;
    unique.forEach((src, at) => {
      const image = images[at];
      const known = this.bySource.get(src);
      if (known !== undefined) {
        paths.set(src, known);
      } else if (image !== undefined && image.bytes.length > room) {
        isCut = true;
      } else if (image !== undefined) {
        room -= image.bytes.length;
        paths.set(src, this.named(image));
        bytes.set(src, image.bytes);
      }
    });
    return { paths, bytes, isCut };
  }

  /**
   * Adds a picture to the book. Returns the bytes of the picture, or undefined if an earlier chapter has already added
   * it.
   */
  place(src: string, { paths, bytes }: FoundPictures): Buffer | undefined {
    const picture = paths.get(src);
    const content = bytes.get(src);
    if (picture === undefined || content === undefined || this.bySource.has(src)) {
      return undefined;
    }
    this.bySource.set(src, picture);
    this.placed.push(picture);
    this.bytesLeft -= content.length;
    return content;
  }

  /**
   * Loads those pictures of an article that are not in the book yet. Stops when the loaded pictures exceed the size
   * limit.
   */
  private async loaded(
    sources: readonly string[],
    { endsAt, most }: Readonly<Record<'endsAt' | 'most', number>>,
  ): Promise<{ images: (DeviceImage | undefined)[]; isCut: boolean }> {
    let held = 0;
    let isCut = false;
    const images = sources.map((src) =>
      this.next(async () => {
        if (this.bySource.has(src)) {
          return undefined;
        }
        if (held > most) {
          isCut = true;
          return undefined;
        }
        const image = await this.image(src, endsAt);
        held += image?.bytes.length ?? 0;
        return image;
      }),
    );
    return { images: await Promise.all(images), isCut };
  }

  private async image(src: string, endsAt: number): Promise<DeviceImage | undefined> {
    const ms = Math.min(PICTURE_MS, endsAt - performance.now());
    try {
      return await this.images.findWithin(this.userId, src, ms);
    } catch {
      // Omits the picture if too many pictures are queued, or if the service is shutting down.
      return undefined;
    }
  }

  private named({ type }: DeviceImage): BookPicture {
    this.found += 1;
    const id = `picture-${this.found}`;
    return { id, type, href: `pictures/${id}.${type === 'image/png' ? 'png' : 'jpg'}` };
  }
}
