import pLimit from 'p-limit';

import type { DeviceImage } from '../images/conversion-process.js';
import type { ImagesService } from '../images/images.service.js';

/**
 * Time limit for one picture of a book, in milliseconds. A slower picture is omitted, but its conversion continues, so
 * that the next book can contain it.
 */
const PICTURE_MS = 4_000;
/**
 * Time limit for all pictures of one article, in milliseconds. With this limit, the first byte of a book is sent within
 * 15 s, including the wait for a page that is being fetched.
 */
const ARTICLE_MS = 8_000;
/** Time limit for all pictures of a book that are not in the cache, in milliseconds. */
const BOOK_MS = 10 * 60_000;
/** The number of pictures that one book fetches at the same time. A low number leaves capacity for other users. */
const AT_ONCE = 3;
/**
 * Size limit for the pictures of one article, in bytes. If a gallery of pictures exceeds the limit, the book contains
 * only its first pictures.
 */
const ARTICLE_BYTES = 20_000_000;
/**
 * Size limit for the pictures of one book, in bytes. The limit is far below 4 GB, the maximum for ZIP archives without
 * 64-bit sizes.
 */
const BOOK_BYTES = 1_000_000_000;

/** A picture in a book. */
interface BookPicture {
  readonly id: string;
  readonly href: string;
  readonly type: DeviceImage['type'];
}

/**
 * The pictures that an article may use, keyed by their original addresses. `bytes` contains only pictures that no
 * earlier chapter of the book contains.
 */
export interface FoundPictures {
  readonly paths: ReadonlyMap<string, BookPicture>;
  readonly bytes: ReadonlyMap<string, Buffer>;
  /** True if some pictures were omitted because of the size limit. */
  readonly isCut: boolean;
}

/** Loads the pictures of one book within limits for time and total size. The book contains each picture once. */
export class BookPictures {
  readonly placed: BookPicture[] = [];
  private readonly bySource = new Map<string, BookPicture>();
  private readonly next = pLimit(AT_ONCE);
  private readonly endsAt = performance.now() + BOOK_MS;
  private bytesLeft: number;
  private found = 0;

  /** `most` is the size limit for all pictures of the book, in bytes. */
  constructor(
    private readonly userId: string,
    private readonly images: Pick<ImagesService, 'findWithin'>,
    most = BOOK_BYTES,
  ) {
    this.bytesLeft = most;
  }

  /** Returns the pictures of an article that can be loaded within the limits for time and size. */
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
   * Adds a picture to the book. Returns the bytes of the picture, or undefined if the book already contains the
   * picture.
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

  /** Loads the pictures that the book does not contain yet. Stops when the loaded pictures exceed the size limit. */
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
