import { disableTypes, imageSize } from 'image-size';

import { defined } from '../../util/defined.js';
import { guessedLanguage } from '../metadata/language.js';
import { plain } from '../plain-text.js';
import { type DocumentFacts, documentWords, MAX_EXCERPT } from './document-facts.js';

/**
 * The maximum length of the title of a plain text. If the first line is longer, it is a paragraph and the text has no
 * title.
 */
const MAX_HEADING = 120;
const READ_CHARACTERS = 20_000;

/** Returns the facts of a plain text. Its first line is the title if it is short enough. */
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

/** The lowest EXIF orientation at which the width and height of a picture are swapped when it is shown. */
const FIRST_TURNED_ORIENTATION = 5;
const MAX_PIXELS = 1_000_000;

// Disables image formats that web pages do not use. Their parsers trust offsets in the file, which may be wrong.
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
    // Passes a copy of the bytes, because the library reads beyond the end of a view into adjacent memory.
    return imageSize(new Uint8Array(start));
  } catch {
    // Ignores the error: the size of a picture that cannot be parsed is unknown.
    return undefined;
  }
}
