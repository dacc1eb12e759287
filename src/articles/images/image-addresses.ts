import { Injectable } from '@nestjs/common';

import { Signatures } from '../../platform/common/signatures.js';
import { Config } from '../../platform/config/config.js';

const PURPOSE = 'satchel image addresses';

/** A picture of a stored page. `number` counts from 1. */
interface ImageOfPage {
  /** Decimal text. */
  readonly pageId: string;
  readonly number: number;
  readonly src: string;
}

/** The thumbnail of an item in a list. */
interface ThumbnailOfItem {
  /** Decimal text. */
  readonly userId: string;
  readonly itemId: string;
  readonly src: string;
}

/** Creates and checks the addresses of pictures on this service. A signature makes other addresses invalid. */
@Injectable()
export class ImageAddresses {
  private readonly signatures: Signatures;

  constructor({ sessionSecrets }: Config) {
    this.signatures = new Signatures(sessionSecrets, PURPOSE);
  }

  /** Returns the path of a picture. The signature covers the user for whom the picture will be fetched. */
  pathOf(userId: string, image: ImageOfPage): string {
    const signature = this.signatures.of(partsOfReader(userId, image));
    return `/images/${image.pageId}/${image.number}/${userId}.${signature}`;
  }

  /**
   * Returns the path of a thumbnail. The signature covers the source that the list contains, so a list of fifty needs
   * no look-up.
   */
  thumbnailPathOf(thumbnail: ThumbnailOfItem): string {
    const { userId, itemId } = thumbnail;
    return `/images/thumbnails/${userId}/${itemId}/${this.signatures.of(partsOfThumbnail(thumbnail))}`;
  }

  /**
   * Returns the queue in which the picture is fetched: that of the user in the signature. Older addresses name no
   * user, and have a queue for each page. Returns undefined if the signature is invalid. The signature covers the
   * source, so it is not valid for a picture that replaces this one.
   */
  queueOf(image: ImageOfPage, text: string): string | undefined {
    const [userId, signature] = text.split('.', 2);
    if (userId === undefined || signature === undefined) {
      return this.signatures.isOf(partsOf(image), text) ? `page:${image.pageId}` : undefined;
    }
    return this.signatures.isOf(partsOfReader(userId, image), signature)
      ? queueOfUser(userId)
      : undefined;
  }

  isThumbnailSigned(thumbnail: ThumbnailOfItem, signature: string): boolean {
    return this.signatures.isOf(partsOfThumbnail(thumbnail), signature);
  }
}

const partsOf = ({ pageId, number, src }: ImageOfPage): string => `${pageId}/${number}/${src}`;

const partsOfReader = (userId: string, image: ImageOfPage): string =>
  `reader/${userId}/${partsOf(image)}`;

/** Page ids never begin with a letter. So a signature of one kind is not valid for the other. */
const partsOfThumbnail = ({ userId, itemId, src }: ThumbnailOfItem): string =>
  `thumbnail/${userId}/${itemId}/${src}`;

/** The queue for all pictures of one user. */
export const queueOfUser = (userId: string): string => `user:${userId}`;
