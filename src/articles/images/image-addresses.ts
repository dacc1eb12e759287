import { Injectable } from '@nestjs/common';

import { Signatures } from '../../common/signatures.js';
import { Config } from '../../config/config.js';

const PURPOSE = 'satchel image addresses';

/** A picture of a stored page, counted from 1. */
interface ImageOfPage {
  /** Decimal text. */
  readonly pageId: string;
  readonly number: number;
  readonly src: string;
}

/** The picture that stands for an item in a list. */
interface ThumbnailOfItem {
  /** Decimal text. */
  readonly userId: string;
  readonly itemId: string;
  readonly src: string;
}

/** The addresses under which the service shows pictures of stored pages: signed, so that no others work. */
@Injectable()
export class ImageAddresses {
  private readonly signatures: Signatures;

  constructor({ sessionSecrets }: Config) {
    this.signatures = new Signatures(sessionSecrets, PURPOSE);
  }

  pathOf(image: ImageOfPage): string {
    return `/images/${image.pageId}/${image.number}/${this.signatures.of(partsOf(image))}`;
  }

  /** Signed with the source, so that it needs no look-up to make fifty of them. */
  thumbnailPathOf(thumbnail: ThumbnailOfItem): string {
    const { userId, itemId } = thumbnail;
    return `/images/thumbnails/${userId}/${itemId}/${this.signatures.of(partsOfThumbnail(thumbnail))}`;
  }

  /** The signature covers the source, so that it is not valid for a picture that replaces this one. */
  isSigned(image: ImageOfPage, signature: string): boolean {
    return this.signatures.isOf(partsOf(image), signature);
  }

  isThumbnailSigned(thumbnail: ThumbnailOfItem, signature: string): boolean {
    return this.signatures.isOf(partsOfThumbnail(thumbnail), signature);
  }
}

const partsOf = ({ pageId, number, src }: ImageOfPage): string => `${pageId}/${number}/${src}`;

/** No id of a page begins with a letter: neither kind of signature is valid for the other. */
const partsOfThumbnail = ({ userId, itemId, src }: ThumbnailOfItem): string =>
  `thumbnail/${userId}/${itemId}/${src}`;
