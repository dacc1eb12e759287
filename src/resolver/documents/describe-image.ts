import { disableTypes, imageSize } from 'image-size';

import { type DocumentFacts } from './document-facts.js';

/** From here on width and height are exchanged when the picture is shown (EXIF orientation). */
const FIRST_TURNED_ORIENTATION = 5;
const MAX_PIXELS = 1_000_000;

// Formats that no page shows, and whose readers follow offsets through the file.
disableTypes(['tiff', 'icns', 'ktx', 'dds', 'psd', 'tga', 'j2c', 'jp2']);

/** The dimensions of a picture, of which the beginning is enough. */
export function describeImage(start: Uint8Array): DocumentFacts {
  const { width, height, orientation = 1 } = sizeOf(start) ?? { width: 0, height: 0 };
  if (!isSide(width) || !isSide(height)) {
    return {};
  }
  return orientation < FIRST_TURNED_ORIENTATION
    ? { width: Math.round(width), height: Math.round(height) }
    : { width: Math.round(height), height: Math.round(width) };
}

const isSide = (pixels: number): boolean => pixels >= 1 && pixels <= MAX_PIXELS;

function sizeOf(start: Uint8Array): ReturnType<typeof imageSize> | undefined {
  try {
    // A copy: the library reads past the end of a view into what lies behind it in memory.
    return imageSize(new Uint8Array(start));
  } catch {
    // What cannot be read has no known size.
    return undefined;
  }
}
