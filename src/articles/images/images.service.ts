import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';

import { ServiceBusyError } from '../../common/common.errors.js';
import { Database } from '../../database/database.js';
import { run } from '../../database/statements.js';
import { ImageFetcher } from '../../resolver/fetching/image-fetcher.js';
import { ConversionProcess } from './conversion-process.js';
import { type DeviceImage, deviceImageOf } from './device-image.js';
import { ImageAddresses } from './image-addresses.js';
import { ImageCache, NoImage } from './image-cache.js';

/** Fetched at once; they are converted one at a time. */
const AT_ONCE = 4;
const MOST_WAITING = 100;

const SOURCE = `
    SELECT content->'item'->'media'->'images'->($2::integer - 1)->>'src' AS src FROM pages WHERE page_id = $1`;

/** What the address of a picture says. */
export interface AskedImage {
  readonly pageId: string;
  readonly number: number;
  readonly signature: string;
}

/** Pictures of stored pages, made fit for e-readers. */
@Injectable()
export class ImagesService implements OnApplicationShutdown {
  private readonly conversion = new ConversionProcess();
  private readonly limit = pLimit(AT_ONCE);
  private readonly underWay = new Map<string, Promise<DeviceImage | undefined>>();

  constructor(
    private readonly database: Database,
    private readonly addresses: ImageAddresses,
    private readonly fetcher: ImageFetcher,
    private readonly cache: ImageCache,
  ) {}

  /** Undefined for what is no picture of a stored page, was not given out, or cannot be had. Throws ServiceBusyError. */
  async find({ pageId, number, signature }: AskedImage): Promise<DeviceImage | undefined> {
    const src = await this.sourceOf(pageId, number);
    if (src === undefined || !this.addresses.isSigned({ pageId, number, src }, signature)) {
      return undefined;
    }
    const kept = await this.cache.find(src);
    if (kept !== undefined) {
      return kept === 'none' ? undefined : deviceImageOf(kept);
    }
    return this.brought(src);
  }

  onApplicationShutdown(): void {
    this.conversion.close();
  }

  private async sourceOf(pageId: string, number: number): Promise<string | undefined> {
    const [row] = await this.database.read((manager) =>
      run<{ src: string | null }>(manager, { text: SOURCE, values: [pageId, number] }),
    );
    return row?.src ?? undefined;
  }

  /** Whoever asks for the same picture meanwhile gets the same one. */
  private brought(src: string): Promise<DeviceImage | undefined> {
    const known = this.underWay.get(src);
    if (known !== undefined) {
      return known;
    }
    if (this.limit.pendingCount >= MOST_WAITING) {
      throw new ServiceBusyError();
    }
    const brought = this.limit(() => this.bring(src)).finally(() => this.underWay.delete(src));
    this.underWay.set(src, brought);
    return brought;
  }

  private async bring(src: string): Promise<DeviceImage | undefined> {
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
