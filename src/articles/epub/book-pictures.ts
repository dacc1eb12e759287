import pLimit from 'p-limit';

import type { DeviceImage } from '../images/conversion-process.js';
import type { ImagesService } from '../images/images.service.js';

/** A picture that takes longer is left out; the next book has it, because it is converted all the same. */
const PICTURE_MS = 4_000;
/** For all pictures of one article; with the wait for a page that is just being read the first byte is there in 15 s. */
const ARTICLE_MS = 8_000;
/** For all pictures of a book that are not in the cache. */
const BOOK_MS = 10 * 60_000;
/** Fetched at once for one book: other readers want pictures too. */
const AT_ONCE = 3;
/** An article with more is a gallery: its first pictures are in the book. */
const ARTICLE_BYTES = 20_000_000;
/** Far below what an archive without 64-bit sizes may have. */
const BOOK_BYTES = 1_000_000_000;

/** A picture as the book has it. */
interface BookPicture {
  readonly id: string;
  readonly href: string;
  readonly type: DeviceImage['type'];
}

/** What an article may use: the pictures by their addresses at their sites, and the bytes of those that are not in the book yet. */
export interface FoundPictures {
  readonly paths: ReadonlyMap<string, BookPicture>;
  readonly bytes: ReadonlyMap<string, Buffer>;
  /** There is no room for some. */
  readonly isCut: boolean;
}

/** The pictures of one book, each of which it has once; bounded in time and size. */
export class BookPictures {
  readonly placed: BookPicture[] = [];
  private readonly bySource = new Map<string, BookPicture>();
  private readonly next = pLimit(AT_ONCE);
  private readonly endsAt = performance.now() + BOOK_MS;
  private bytesLeft: number;
  private found = 0;

  /** `most` is how many bytes they have together. */
  constructor(
    private readonly userId: string,
    private readonly images: Pick<ImagesService, 'findWithin'>,
    most = BOOK_BYTES,
  ) {
    this.bytesLeft = most;
  }

  /** Those of the pictures that can be had in time. */
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

  /** Takes a picture into the book, and gives its bytes if it is new there. */
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

  /** Those of the pictures that are new; none is asked for when there are more bytes already than there is room for. */
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
      // Too many wait for pictures already, or the service ends.
      return undefined;
    }
  }

  private named({ type }: DeviceImage): BookPicture {
    this.found += 1;
    const id = `picture-${this.found}`;
    return { id, type, href: `pictures/${id}.${type === 'image/png' ? 'png' : 'jpg'}` };
  }
}
