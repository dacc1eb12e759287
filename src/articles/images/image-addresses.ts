import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Config } from '../../config/config.js';

const PURPOSE = 'satchel image addresses';
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 24;

/** A picture of a stored page, counted from 1. */
interface ImageOfPage {
  /** Decimal text. */
  readonly pageId: string;
  readonly number: number;
  readonly src: string;
}

/** The picture that stands for an item in a list. */
export interface ThumbnailOfItem {
  /** Decimal text. */
  readonly userId: string;
  readonly itemId: string;
  readonly src: string;
}

/** The addresses under which the service shows pictures of stored pages: signed, so that no others work. */
@Injectable()
export class ImageAddresses {
  private readonly keys: readonly Buffer[];

  constructor({ sessionSecrets }: Config) {
    this.keys = sessionSecrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES)),
    );
  }

  pathOf(image: ImageOfPage): string {
    return `/images/${image.pageId}/${image.number}/${this.signatureOf(partsOf(image))}`;
  }

  /** Signed with the source, so that it needs no look-up to make fifty of them. */
  thumbnailPathOf(thumbnail: ThumbnailOfItem): string {
    const { userId, itemId } = thumbnail;
    return `/images/thumbnails/${userId}/${itemId}/${this.signatureOf(partsOfThumbnail(thumbnail))}`;
  }

  /** The signature covers the source, so that it is not valid for a picture that replaces this one. */
  isSigned(image: ImageOfPage, signature: string): boolean {
    return this.isSignatureOf(partsOf(image), signature);
  }

  isThumbnailSigned(thumbnail: ThumbnailOfItem, signature: string): boolean {
    return this.isSignatureOf(partsOfThumbnail(thumbnail), signature);
  }

  private signatureOf(parts: string): string {
    const [key] = this.keys;
    return key === undefined ? '' : signed(key, parts).toString('base64url');
  }

  private isSignatureOf(parts: string, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    return (
      given.length === SIGNATURE_BYTES &&
      this.keys.some((key) => timingSafeEqual(signed(key, parts), given))
    );
  }
}

const partsOf = ({ pageId, number, src }: ImageOfPage): string => `${pageId}/${number}/${src}`;

/** No id of a page begins with a letter: neither kind of signature is valid for the other. */
const partsOfThumbnail = ({ userId, itemId, src }: ThumbnailOfItem): string =>
  `thumbnail/${userId}/${itemId}/${src}`;

const signed = (key: Buffer, parts: string): Buffer =>
  createHmac('sha256', key).update(parts).digest().subarray(0, SIGNATURE_BYTES);
