import sharp from 'sharp';

import type { DeviceImage } from './conversion-process.js';

/**
 * Target sizes in pixels. `device` is the screen of a large e-reader. `thumbnail` is twice the size of a thumbnail on
 * the page. Pictures are never enlarged.
 */
const SIZES = {
  device: { width: 1264, height: 1680, fit: 'inside' },
  thumbnail: { width: 192, height: 144, fit: 'cover' },
} as const;
export type ImageSize = keyof typeof SIZES;

/**
 * The maximum number of pixels, enough for a photo of 24 megapixels. Larger pictures are rejected, because an AVIF file
 * of 1.4 KB can contain 50 megapixels, which take seconds to decode.
 */
const MAX_PIXELS = 25_000_000;
const MAX_SECONDS = 10;
const JPEG_QUALITY = 80;
const COLOURS = 256;
const WHITE = '#ffffff';
/** Formats of drawings and screenshots, which have few colours and sharp edges. */
const DRAWINGS = new Set(['png', 'gif']);

// libvips reads dozens of formats. Only web formats are allowed, except SVG, which can contain scripts.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});
// Limits libvips to one thread, because the service needs the other cores.
sharp.concurrency(1);

/**
 * Converts a picture to a JPEG, or converts a drawing to a PNG with few colours. The result is upright, on white,
 * without camera metadata, and not larger than `size`.
 * Returns undefined if the file is not a picture or has too many pixels.
 */
export async function convertImage(
  source: Uint8Array,
  size: ImageSize = 'device',
): Promise<DeviceImage | undefined> {
  try {
    const image = sharp(source, { limitInputPixels: MAX_PIXELS }).timeout({ seconds: MAX_SECONDS });
    const { format } = await image.metadata();
    const fitting = image
      .autoOrient()
      .resize({ ...SIZES[size], withoutEnlargement: true })
      .flatten({ background: WHITE });
    return DRAWINGS.has(format)
      ? {
          type: 'image/png',
          bytes: await fitting.png({ palette: true, colours: COLOURS }).toBuffer(),
        }
      : { type: 'image/jpeg', bytes: await fitting.jpeg({ quality: JPEG_QUALITY }).toBuffer() };
  } catch {
    return undefined;
  }
}
