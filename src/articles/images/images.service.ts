import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { embeddedBytes } from '../../lib/extraction/media/embedded-pictures.js';
import { ImageFetcher } from '../../platform/fetching/page-fetcher.js';
import { SharedWork } from '../../platform/jobs/shared-work.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { mediaOf } from '../../reading-list/get/page.presenter.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { PageRepository } from '../resolver/page.repository.js';
import { ConversionProcess, type DeviceImage, deviceImageOf } from './conversion-process.js';
import type { ImageSize } from './convert-image.js';
import { ImageAddresses, queueOfUser } from './image-addresses.js';
import { ImageCache, NoImage } from './image-cache.js';
import { PictureRepository } from './picture.repository.js';

/**
 * Limits for concurrent and queued pictures. At most half of the pictures that are fetched or converted at the same
 * time belong to one user.
 */
const LIMITS = { concurrency: 6, perUser: 3, waitingPerUser: 100 } as const;
/** The queue of pictures that are stored with their articles. It has the limits of one user. */
const KEPT_QUEUE = 'kept';

export interface SignedImage {
  readonly pageId: string;
  readonly number: number;
  readonly signature: string;
}

export interface SignedThumbnail {
  readonly userId: string;
  readonly itemId: string;
  readonly signature: string;
}

interface SizedImage {
  readonly src: string;
  readonly size: ImageSize;
}

/**
 * Returns the pictures of stored pages, converted for e-readers. A picture comes from the cache, or from the pictures
 * that are stored with their articles. All other pictures are fetched, converted and cached.
 */
@Injectable()
export class ImagesService implements OnApplicationShutdown {
  private readonly conversion = new ConversionProcess();
  private readonly work = new SharedWork<DeviceImage | undefined>(LIMITS);

  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly pages: PageRepository,
    private readonly items: ItemRepository,
    private readonly addresses: ImageAddresses,
    private readonly fetcher: ImageFetcher,
    private readonly cache: ImageCache,
    private readonly pictures: PictureRepository,
  ) {}

  /**
   * Returns the converted picture at a signed path. Returns undefined if the signature is invalid, or if the picture
   * cannot be fetched or converted.
   * @throws ServiceBusyError
   */
  async find({ pageId, number, signature }: SignedImage): Promise<DeviceImage | undefined> {
    const src = await this.pages.findImageUrl(pageId, number);
    if (src === undefined) {
      return undefined;
    }
    const queue = this.addresses.queueOf({ pageId, number, src }, signature);
    return queue === undefined ? undefined : this.converted(queue, { src, size: 'device' });
  }

  /**
   * Returns a picture of a page that a user has shared by a public link. The caller checks the link. Visitors have
   * a separate queue, so they cannot delay the pictures of the user.
   * @throws ServiceBusyError
   */
  async findShared(
    userId: string,
    { pageId, number }: Omit<SignedImage, 'signature'>,
  ): Promise<DeviceImage | undefined> {
    const src = await this.pages.findImageUrl(pageId, number);
    return src === undefined
      ? undefined
      : this.converted(`shared:${userId}`, { src, size: 'device' });
  }

  /**
   * Returns the thumbnail at a signed path. Returns undefined if the signature is invalid, or if the picture cannot be
   * fetched or converted.
   */
  async findThumbnail(
    { userId, itemId, signature }: SignedThumbnail,
    size: 'thumbnail' | 'card',
  ): Promise<DeviceImage | undefined> {
    const row = (await this.items.rowsById(userId, [itemId])).get(itemId);
    const src = row && thumbnailSource(row);
    return src !== undefined && this.addresses.isThumbnailSigned({ userId, itemId, src }, signature)
      ? this.converted(queueOfUser(userId), { src, size })
      : undefined;
  }

  /**
   * Returns the converted picture at an address. Returns undefined if the picture cannot be fetched
   * and converted within `ms` milliseconds. The conversion then continues in the background, and
   * the cache stores its result. If `ms` is 0 or less, searches only the stored and cached pictures.
   * @throws ServiceBusyError
   */
  async findWithin(userId: string, src: string, ms: number): Promise<DeviceImage | undefined> {
    const found = await this.found({ src, size: 'device' });
    if (found !== undefined) {
      return found === 'none' ? undefined : found;
    }
    return ms > 0
      ? within(ms, this.shared(queueOfUser(userId), { src, size: 'device' }))
      : undefined;
  }

  /**
   * Returns the converted picture at an address, to store it with its articles. Returns undefined if the picture cannot
   * be fetched or converted.
   */
  async findToKeep(src: string): Promise<DeviceImage | undefined> {
    return this.converted(KEPT_QUEUE, { src, size: 'device' });
  }

  onApplicationShutdown(): void {
    this.conversion.close();
  }

  private async converted(queue: string, image: SizedImage): Promise<DeviceImage | undefined> {
    const found = await this.found(image);
    if (found !== undefined) {
      return found === 'none' ? undefined : found;
    }
    return this.shared(queue, image);
  }

  /**
   * Searches the cache and the stored pictures. Returns `none` if the picture is not stored, and the last attempt to
   * fetch or convert it failed. Returns undefined if the picture must be fetched or converted.
   */
  private async found(image: SizedImage): Promise<DeviceImage | 'none' | undefined> {
    const cached = await this.cache.find(cacheKeyOf(image));
    if (cached !== undefined && cached !== 'none') {
      return deviceImageOf(cached);
    }
    if (cached === undefined && image.size !== 'device') {
      return undefined;
    }
    const stored = await this.pictures.findImage(image.src);
    if (stored === undefined) {
      return cached;
    }
    return image.size === 'device' ? deviceImageOf(stored) : undefined;
  }

  /**
   * Returns a converted picture. Concurrent requests for the same picture share one conversion.
   * @throws ServiceBusyError
   */
  private shared(queue: string, image: SizedImage): Promise<DeviceImage | undefined> {
    return this.work.run(queue, cacheKeyOf(image), () => this.convert(queue, image));
  }

  private async convert(queue: string, image: SizedImage): Promise<DeviceImage | undefined> {
    const key = cacheKeyOf(image);
    const source = await this.sourceOf(image);
    if (source === undefined) {
      await this.cache.keep(key, NoImage.Unreached);
      return undefined;
    }
    const converted = await this.conversion.convert(queue, source, image.size);
    if (converted === undefined || queue !== KEPT_QUEUE) {
      await this.cache.keep(key, converted?.bytes ?? NoImage.Unreadable);
    }
    return converted;
  }

  /** A thumbnail is made from the stored picture, if there is one. */
  private async sourceOf({ src, size }: SizedImage): Promise<Uint8Array | undefined> {
    const stored = size === 'device' ? undefined : await this.pictures.findImage(src);
    return stored ?? embeddedBytes(src) ?? this.fetcher.fetch(src);
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const answered = new AbortController();
  const late = pause(ms, undefined, { signal: answered.signal });
  try {
    return await Promise.race([work, late]);
  } finally {
    answered.abort();
    // Ignores errors of `late` and `work` that occur after this function has returned.
    late.catch(() => undefined);
    work.catch(() => undefined);
  }
}

/**
 * Returns the key of a converted picture in the cache. The key of a thumbnail begins with a space, so it never equals a
 * URL, which is the key of a large picture.
 */
const cacheKeyOf = ({ src, size }: SizedImage): string =>
  size === 'device' ? src : ` ${size} ${src}`;

/**
 * Returns the original address of the picture that an item's thumbnail shows: the picture that the page declares, or
 * the first picture of the page. Returns undefined if the page has no picture.
 */
export const thumbnailSource = (row: ItemRow): string | undefined =>
  row.top_image_url || mediaOf(row).images[0]?.src || undefined;
