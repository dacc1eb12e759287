import { documentKind } from './document-kind.js';
import type { FetchSettings } from './fetch-settings.js';
import type { PageFetcher } from './page-fetcher.js';

/** Pictures are read whole; what turns out to be something else is hardly read at all. */
export const IMAGE_LIMITS: Partial<FetchSettings> = {
  maxImageBytes: 10_000_000,
  maxHtmlBytes: 65_536,
};

/** Brings pictures through the same door as pages: from the public internet, within limits of time and size. */
export class ImageFetcher {
  constructor(private readonly fetcher: PageFetcher) {}

  /** Undefined when there is no picture, or it is too large. */
  async fetch(url: string): Promise<Uint8Array | undefined> {
    const outcome = await this.fetcher.fetch(url);
    const isImage = outcome.kind === 'page' && documentKind(outcome.mimeType) === 'image';
    return isImage && !outcome.isTruncated ? outcome.body : undefined;
  }
}
