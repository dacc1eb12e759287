import { isAscii, isUtf8 } from 'node:buffer';

import iconv from 'iconv-lite';

import type { Source } from '../format.js';

/** Encodings in which spreadsheets and browsers write tables, by their names in iconv-lite. */
const ENCODINGS = [
  ...['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'windows-874'],
  ...['iso-8859-2', 'iso-8859-5', 'iso-8859-7', 'koi8-u', 'ibm866', 'ibm852', 'macintosh'],
  ...['gb18030', 'big5hkscs', 'shift_jis', 'euc-jp', 'cp949'],
];
/**
 * The number of bytes at the beginning of a file that are decoded in each encoding. The limit saves time, because the
 * search for a header checks each decoded line.
 */
const READ_BYTES = 4_096;

/**
 * Returns the beginning of a file, decoded in each encoding that the file may have. Returns an empty list if the
 * encoding is UTF-8, UTF-16 or ASCII, because these encodings are recognised reliably. A guess of any other encoding is
 * often wrong if only the header contains non-ASCII characters.
 */
export async function possibleReadings(source: Source): Promise<readonly string[]> {
  const bytes = await firstBytes(source, READ_BYTES);
  return isAscii(bytes) || isUtf8(withoutCutEnd(bytes)) || bytes.includes(0)
    ? []
    : ENCODINGS.map((encoding) => iconv.decode(bytes, encoding));
}

async function firstBytes(source: Source, length: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of source.bytes()) {
    chunks.push(chunk);
    total += chunk.length;
    if (total >= length) {
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, length);
}

/**
 * Removes the last, incomplete line of a text, because its last character may be incomplete too. In each supported
 * encoding, a line end is the same ASCII byte.
 */
const withoutCutEnd = (bytes: Buffer): Buffer => {
  const end = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r'));
  return end === -1 ? bytes : bytes.subarray(0, end);
};
