import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { ImageFetcher } from '../../platform/fetching/page-fetcher.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { mediaOf } from '../../reading-list/get/page.presenter.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { PageRepository } from '../resolver/page.repository.js';
import { ConversionProcess, type DeviceImage, deviceImageOf } from './conversion-process.js';
import type { ImageSize } from './convert-image.js';
import { ImageAddresses, queueOfUser } from './image-addresses.js';
import { ImageCache, NoImage } from './image-cache.js';
import { SharedWork } from './shared-work.js';

/** Limits for fetching pictures. One user can occupy half of the slots. Pictures are converted one at a time. */
const LIMITS = { concurrency: 6, perUser: 3, waitingPerUser: 100 } as const;

/** The path parameters of a picture. */
export interface SignedImage {
  readonly pageId: string;
  readonly number: number;
  readonly signature: string;
}

/** The path parameters of a thumbnail. */
export interface SignedThumbnail {
  readonly userId: string;
  readonly itemId: string;
  readonly signature: string;
}

interface SizedImage {
  readonly src: string;
  readonly size: ImageSize;
}

/** Fetches the pictures of stored pages, and converts them for e-readers. */
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
  ) {}

  /**
   * Returns a converted picture. Returns undefined if the signature is invalid, or if the picture cannot be fetched or
   * converted.
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
   * Returns the thumbnail of an item. Returns undefined if the signature is invalid, or if the picture cannot be
   * fetched or converted.
   */
  async findThumbnail({
    userId,
    itemId,
    signature,
  }: SignedThumbnail): Promise<DeviceImage | undefined> {
    const row = (await this.items.rowsById(userId, [itemId])).get(itemId);
    const src = row && thumbnailSource(row);
    return src !== undefined && this.addresses.isThumbnailSigned({ userId, itemId, src }, signature)
      ? this.converted(queueOfUser(userId), { src, size: 'thumbnail' })
      : undefined;
  }

  /**
   * Returns the converted picture at an address, or undefined after `ms` milliseconds. The conversion continues after
   * the time limit, and stores its result in the cache for the next call. If `ms` is 0 or less, only the cache is used.
   * @throws ServiceBusyError
   */
  async findWithin(userId: string, src: string, ms: number): Promise<DeviceImage | undefined> {
    const kept = await this.cache.find(src);
    if (kept !== undefined) {
      return kept === 'none' ? undefined : deviceImageOf(kept);
    }
    return ms > 0
      ? within(ms, this.shared(queueOfUser(userId), { src, size: 'device' }))
      : undefined;
  }

  onApplicationShutdown(): void {
    this.conversion.close();
  }

  private async converted(queue: string, image: SizedImage): Promise<DeviceImage | undefined> {
    const kept = await this.cache.find(cacheKeyOf(image));
    if (kept !== undefined) {
      return kept === 'none' ? undefined : deviceImageOf(kept);
    }
    return this.shared(queue, image);
  }

  /**
   * Returns a converted picture. Requests for the same picture share one conversion.
   * @throws ServiceBusyError
   */
  private shared(queue: string, image: SizedImage): Promise<DeviceImage | undefined> {
    return this.work.run(queue, cacheKeyOf(image), () => this.convert(queue, image));
  }

  private async convert(queue: string, image: SizedImage): Promise<DeviceImage | undefined> {
    const key = cacheKeyOf(image);
    const source = await this.fetcher.fetch(image.src);
    if (source === undefined) {
      await this.cache.keep(key, NoImage.Unreached);
      return undefined;
    }
    const converted = await this.conversion.convert(queue, source, image.size);
    await this.cache.keep(key, converted?.bytes ?? NoImage.Unreadable);
    return converted;
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const answered = new AbortController();
  const late = pause(ms, undefined, { signal: answered.signal });
  try {
    return await Promise.race([work, late]);
  } finally {
    answered.abort();
    // Only the faster promise is returned, so a later error of the other promise is ignored.
    late.catch(() => undefined);
    work.catch(() => undefined);
  }
}

/**
 * Returns the key of a picture in the cache and among running conversions. Keys of thumbnails begin with a space,
 * unlike any URL.
 */
const cacheKeyOf = ({ src, size }: SizedImage): string =>
  size === 'device' ? src : ` ${size} ${src}`;

/**
 * Returns the source URL of an item's thumbnail: the picture that the page names, otherwise the first picture. Returns
 * undefined if the item has no picture.
 */
export const thumbnailSource = (row: ItemRow): string | undefined =>
  row.top_image_url || mediaOf(row).images[0]?.src || undefined;
