import sharp from 'sharp';

import type { DeviceImage } from './conversion-process.js';

/**
 * Target sizes in pixels. Pictures are never enlarged. `device`: the screen of a large e-reader; `thumbnail`: twice its
 * size on the page.
 */
const SIZES = {
  device: { width: 1264, height: 1680, fit: 'inside' },
  thumbnail: { width: 192, height: 144, fit: 'cover' },
} as const;
export type ImageSize = keyof typeof SIZES;

/**
 * Enough for a photo of 24 megapixels. Larger ones are rejected: an AVIF of 50 megapixels can be 1.4 KB, and take
 * seconds to decode.
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
// One thread only: the service needs the other cores.
sharp.concurrency(1);

/**
 * Converts a picture to a JPEG, or to a PNG with few colours for drawings. The result is upright, on white, without
 * camera metadata, and at most as large as `size`.
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
