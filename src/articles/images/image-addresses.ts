import { Injectable } from '@nestjs/common';

import { Signatures } from '../../platform/common/signatures.js';
import { Config } from '../../platform/config/config.js';

const PURPOSE = 'satchel image addresses';

/** A picture of a stored page. `number` is the position of the picture on the page, from 1. */
interface ImageOfPage {
  /** The id of the page, as decimal text. */
  readonly pageId: string;
  readonly number: number;
  readonly src: string;
}

/** The thumbnail of an item in a list. */
interface ThumbnailOfItem {
  /** The id of the user, as decimal text. */
  readonly userId: string;
  readonly itemId: string;
  readonly src: string;
}

/**
 * Creates and checks the addresses of pictures on this service. The addresses are signed, and addresses without a valid
 * signature are rejected.
 */
@Injectable()
export class ImageAddresses {
  private readonly signatures: Signatures;

  constructor({ sessionSecrets }: Config) {
    this.signatures = new Signatures(sessionSecrets, PURPOSE);
  }

  /** Returns the signed path of a picture. The signature covers the picture and the user for whom it is fetched. */
  pathOf(userId: string, image: ImageOfPage): string {
    const signature = this.signatures.of(partsOfReader(userId, image));
    return `/images/${image.pageId}/${image.number}/${userId}.${signature}`;
  }

  /**
   * Returns the signed path of a thumbnail. Its signature needs only data that a list already contains, so a list of
   * fifty thumbnails needs no further query.
   */
  thumbnailPathOf(thumbnail: ThumbnailOfItem): string {
    const { userId, itemId } = thumbnail;
    return `/images/thumbnails/${userId}/${itemId}/${this.signatures.of(partsOfThumbnail(thumbnail))}`;
  }

  /**
   * Returns the queue in which the picture is fetched, or undefined if the signature is invalid. The queue belongs to
   * the user in the signature, or to the page if an older address contains no user. The signature covers the source
   * URL, so it becomes invalid if another picture replaces this one.
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

/**
 * Returns the signed text of a thumbnail address. Unlike the text for a picture of a page, it begins with a letter.
 * Therefore a signature of one kind is never valid for the other kind.
 */
const partsOfThumbnail = ({ userId, itemId, src }: ThumbnailOfItem): string =>
  `thumbnail/${userId}/${itemId}/${src}`;

/** Returns the name of the queue for all pictures of one user. */
export const queueOfUser = (userId: string): string => `user:${userId}`;
