import { detect } from 'chardet';

import { encodingLabelled } from './charset-labels.js';

const READ_BYTES = 512_000;
const SAMPLE_CHARACTERS = 16_000;
/** With fewer bytes beyond ASCII any guess is chance. */
const MIN_HIGH_BYTES = 6;
const SILENT = ['script', 'style'];

/** The charset that the words of a document look like; undefined when they tell nothing. */
export function guessedCharset(bytes: Uint8Array): string | undefined {
  const markup = Buffer.from(bytes.subarray(0, READ_BYTES)).toString('latin1');
  const words = textOf(markup).slice(0, SAMPLE_CHARACTERS);
  if (words.replace(/[\0-\x7f]+/g, '').length < MIN_HIGH_BYTES) {
    return undefined;
  }
  const guess = detect(Buffer.from(words, 'latin1'))?.toLowerCase() ?? '';
  const encoding = encodingLabelled(guess);
  return encoding === undefined || /^utf/.test(encoding) ? undefined : guess;
}

/** What lies between tags, and not in scripts; one pass, whatever the markup is. */
function textOf(markup: string): string {
  const parts: string[] = [];
  // Of the same length: no character of Latin-1 has a longer lower case.
  const lower = markup.toLowerCase();
  let length = 0;
  let at = 0;
  while (at < markup.length && length < SAMPLE_CHARACTERS) {
    const tag = markup.indexOf('<', at);
    const end = tag === -1 ? markup.length : tag;
    const part = markup.slice(at, end).replace(/[\0-\x7f]{8,}/g, ' ');
    parts.push(part);
    length += part.length;
    at = tag === -1 ? markup.length : endOfTag(lower, tag);
  }
  return parts.join(' ');
}

function endOfTag(lower: string, tag: number): number {
  const silent = SILENT.find((name) => lower.startsWith(name, tag + 1));
  const close = silent === undefined ? tag : lower.indexOf(`</${silent}`, tag);
  const end = close === -1 ? -1 : lower.indexOf('>', close);
  return end === -1 ? lower.length : end + 1;
}
