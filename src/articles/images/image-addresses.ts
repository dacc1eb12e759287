import { Injectable } from '@nestjs/common';

import { Signatures } from '../../platform/common/signatures.js';
import { Config } from '../../platform/config/config.js';

const PURPOSE = 'satchel image addresses';

/**
 * A picture of a stored page. `number` is the position of the picture on the page. The first picture has the number 1.
 */
interface ImageOfPage {
  /** The id of the stored page, as a decimal text. */
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
 * Creates and checks the addresses at which this service returns pictures. Each address contains a signature, and an
 * address without a valid signature is rejected.
 */
@Injectable()
export class ImageAddresses {
  private readonly signatures: Signatures;

  constructor({ sessionSecrets }: Config) {
    this.signatures = new Signatures(sessionSecrets, PURPOSE);
  }

  /**
   * Returns the path of a picture with its signature. The signature is valid only for this picture and for the user in
   * the path.
   */
  pathOf(userId: string, image: ImageOfPage): string {
    const signature = this.signatures.of(partsOfReader(userId, image));
    return `/images/${image.pageId}/${image.number}/${userId}.${signature}`;
  }

  /**
   * Returns the path of a thumbnail with its signature. The signature is computed from data that the list has already
   * loaded, so thumbnails need no further database query.
   */
  thumbnailPathOf(thumbnail: ThumbnailOfItem): string {
    const { userId, itemId } = thumbnail;
    return `/images/thumbnails/${userId}/${itemId}/${this.signatures.of(partsOfThumbnail(thumbnail))}`;
  }

  /**
   * Returns the name of the queue in which the picture is fetched, or undefined if the signature is
   * invalid. `text` contains the user id and the signature. An address in the old format has no
   * user id, so its queue belongs to the page. A signature becomes invalid if the page later has
   * another picture at this position.
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
 * Returns the text that is signed for a thumbnail. Its prefix ensures that a signature for a thumbnail is never valid
 * for a picture of a page.
 */
const partsOfThumbnail = ({ userId, itemId, src }: ThumbnailOfItem): string =>
  `thumbnail/${userId}/${itemId}/${src}`;

/** Returns the name of the queue in which the pictures of one user are fetched. */
export const queueOfUser = (userId: string): string => `user:${userId}`;
