import sharp from 'sharp';

import type { DeviceImage } from './conversion-process.js';

/** Pictures are never enlarged. `device`: screens of larger e-readers; `thumbnail`: twice its size on the page. */
const SIZES = {
  device: { width: 1264, height: 1680, fit: 'inside' },
  thumbnail: { width: 192, height: 144, fit: 'cover' },
} as const;
export type ImageSize = keyof typeof SIZES;

/** Room for a photo of 24 megapixels. Larger ones are refused: an AVIF of 50 can be 1.4 KB and take seconds to decode. */
const MAX_PIXELS = 25_000_000;
const MAX_SECONDS = 10;
const JPEG_QUALITY = 80;
const COLOURS = 256;
const WHITE = '#ffffff';
/** Drawings and screenshots: few colours, sharp edges. */
const DRAWINGS = new Set(['png', 'gif']);

// libvips reads dozens of formats, of which those of the web are allowed; SVG can hold scripts.
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
// One thread: the service beside it needs the other cores.
sharp.concurrency(1);

/**
 * A JPEG, or a PNG of few colours for drawings: upright, on white, without the data of cameras, no larger than its size.
 * Undefined for what is no picture, or one that is too large to be one.
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
