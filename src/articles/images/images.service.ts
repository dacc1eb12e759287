import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';

import { ServiceBusyError } from '../../common/common.errors.js';
import { ImageFetcher } from '../../fetching/page-fetcher.js';
import { PageRepository } from '../../resolver/page.repository.js';
import { ConversionProcess, type DeviceImage, deviceImageOf } from './conversion-process.js';
import { ImageAddresses } from './image-addresses.js';
import { ImageCache, NoImage } from './image-cache.js';

/** Fetched at once; they are converted one at a time. */
const CONCURRENCY = 4;
const MAX_WAITING = 100;

/** The parts of a picture's address. */
export interface SignedImage {
  readonly pageId: string;
  readonly number: number;
  readonly signature: string;
}

/** Pictures of stored pages, converted for e-readers. */
@Injectable()
export class ImagesService implements OnApplicationShutdown {
  private readonly conversion = new ConversionProcess();
  private readonly limit = pLimit(CONCURRENCY);
  private readonly pending = new Map<string, Promise<DeviceImage | undefined>>();

  constructor(
    private readonly pages: PageRepository,
    private readonly addresses: ImageAddresses,
    private readonly fetcher: ImageFetcher,
    private readonly cache: ImageCache,
  ) {}

  /** Undefined without a valid signature, and for a picture that cannot be fetched or converted. Throws ServiceBusyError. */
  async find({ pageId, number, signature }: SignedImage): Promise<DeviceImage | undefined> {
    const src = await this.pages.findImageUrl(pageId, number);
    if (src === undefined || !this.addresses.isSigned({ pageId, number, src }, signature)) {
      return undefined;
    }
    const kept = await this.cache.find(src);
    if (kept !== undefined) {
      return kept === 'none' ? undefined : deviceImageOf(kept);
    }
    return this.shared(src);
  }

  onApplicationShutdown(): void {
    this.conversion.close();
  }

  /** Requests for the same picture share one conversion. */
  private shared(src: string): Promise<DeviceImage | undefined> {
    const known = this.pending.get(src);
    if (known !== undefined) {
      return known;
    }
    if (this.limit.pendingCount >= MAX_WAITING) {
      throw new ServiceBusyError();
    }
    const pending = this.limit(() => this.convert(src)).finally(() => this.pending.delete(src));
    this.pending.set(src, pending);
    return pending;
  }

  private async convert(src: string): Promise<DeviceImage | undefined> {
    const source = await this.fetcher.fetch(src);
    if (source === undefined) {
      await this.cache.keep(src, NoImage.Unreached);
      return undefined;
    }
    const image = await this.conversion.convert(source);
    await this.cache.keep(src, image?.bytes ?? NoImage.Unreadable);
    return image;
  }
}
