import sharp from 'sharp';

import type { DeviceImage } from './conversion-process.js';

/**
 * The target sizes of converted pictures in pixels. `device` is the screen of a large e-reader. `thumbnail` is for small
 * pictures in lists, and `card` for large ones, or for screens with many pixels. Smaller pictures are not enlarged.
 */
const SIZES = {
  device: { width: 1264, height: 1680, fit: 'inside' },
  thumbnail: { width: 192, height: 144, fit: 'cover' },
  card: { width: 480, height: 360, fit: 'cover' },
} as const;
export type ImageSize = keyof typeof SIZES;

/**
 * The maximum number of pixels of a picture, which is enough for a camera with 24 megapixels. Larger pictures are
 * rejected, because an AVIF file of only 1.4 KB can contain 50 megapixels, which take seconds to decode.
 */
const MAX_PIXELS = 25_000_000;
const MAX_SECONDS = 10;
const JPEG_QUALITY = 80;
const COLOURS = 256;
const WHITE = '#ffffff';
/** Image formats that sites use for drawings and screenshots, which have few colours and sharp edges. */
const DRAWINGS = new Set(['png', 'gif', 'svg']);
/** The density in dots per inch at which an SVG drawing has the size that it declares. */
const OWN_DENSITY = 72;
/** The maximum enlargement of an SVG drawing, so that its lines are sharp on a screen with many pixels. */
const MOST_ENLARGED = 3;

// libvips reads dozens of formats. Only web formats are allowed. Drawings in SVG are painted by librsvg, which runs no
// scripts, and loads no files and no addresses for a drawing that it gets as bytes.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadSvgBuffer',
  ],
});
// Limits the image library libvips to one thread. The other processor cores are left for the service.
sharp.concurrency(1);

/**
 * Converts a photo to a JPEG, or a drawing to a PNG with few colours. The result is upright, has a white background and
 * no camera metadata, and is not larger than `size`. Returns undefined if the file is not a picture or has too many
 * pixels.
 */
export async function convertImage(
  source: Uint8Array,
  size: ImageSize = 'device',
): Promise<DeviceImage | undefined> {
  try {
    const { format, width } = await opened(source).metadata();
    const image = opened(source, format === 'svg' ? densityFor(width, size) : undefined);
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

const opened = (source: Uint8Array, density = OWN_DENSITY): ReturnType<typeof sharp> =>
  sharp(source, { limitInputPixels: MAX_PIXELS, density }).timeout({ seconds: MAX_SECONDS });

/** Returns the density at which a drawing is about as wide as the target size. */
function densityFor(width: number, size: ImageSize): number {
  const enlarged = SIZES[size].width / Math.max(1, width);
  return OWN_DENSITY * Math.min(MOST_ENLARGED, Math.max(1, enlarged));
}
