import { disableTypes, imageSize } from 'image-size';

import { defined } from '../../util/defined.js';
import { guessedLanguage } from '../metadata/language.js';
import { plain } from '../plain-text.js';
import { type DocumentFacts, documentWords, MAX_EXCERPT } from './document-facts.js';

/**
 * The maximum length of the title of a plain text. If the first line is longer, the text has no
 * title.
 */
const MAX_HEADING = 120;
const READ_CHARACTERS = 20_000;

/**
 * Returns the title, the excerpt, the language and the word count of a plain text. The first line
 * is the title if it is short enough.
 */
export function describeText(text: string): DocumentFacts {
  const lines = text.slice(0, READ_CHARACTERS).split(/\r\n?|\n/);
  const first = lines.findIndex((line) => /[\p{L}\p{N}]/u.test(line));
  const heading = plain(
    (lines[first] ?? '').replace(/^[\s#=*]+|(?<![\s#=*])[\s#=*]+$/g, ''),
    READ_CHARACTERS,
  );
  const isTitle = heading !== undefined && heading.length <= MAX_HEADING && lines.length > 1;
  return defined<DocumentFacts>({
    title: isTitle ? heading : undefined,
    excerpt: plain(lines.slice(isTitle ? first + 1 : Math.max(first, 0)).join('\n'), MAX_EXCERPT),
    language: guessedLanguage(text) || undefined,
    wordCount: documentWords(text),
  });
}

/**
 * The lowest EXIF orientation that rotates the picture by 90 degrees when it is shown. The rotation
 * swaps width and height.
 */
const FIRST_TURNED_ORIENTATION = 5;
const MAX_PIXELS = 1_000_000;

// Disables image formats that web pages do not use. The parsers of these formats follow offsets in
// the file without checking them.
disableTypes(['tiff', 'icns', 'ktx', 'dds', 'psd', 'tga', 'j2c', 'jp2']);

/** Returns the width and height of a picture from the first bytes of its file. */
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
    // Copies the bytes. The library ignores the end of a view, and would read the memory after it.
    return imageSize(new Uint8Array(start));
  } catch {
    // Ignores the error: the size of a picture that cannot be parsed is unknown.
    return undefined;
  }
}
