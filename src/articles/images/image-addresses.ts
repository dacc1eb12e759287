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
    const [key] = this.keys;
    const signature = key === undefined ? '' : signed(key, image).toString('base64url');
    return `/images/${image.pageId}/${image.number}/${signature}`;
  }

  /** The signature covers the source, so that it is not valid for a picture that replaces this one. */
  isSigned(image: ImageOfPage, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    return (
      given.length === SIGNATURE_BYTES &&
      this.keys.some((key) => timingSafeEqual(signed(key, image), given))
    );
  }
}

const signed = (key: Buffer, { pageId, number, src }: ImageOfPage): Buffer =>
  createHmac('sha256', key)
    .update(`${pageId}/${number}/${src}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
