import iconv from 'iconv-lite';

import { guessedCharset } from './charset-guess.js';
import { encodingLabelled } from './charset-labels.js';

const META_BYTES = 16_384;
const META =
  /<meta\b[^>]{0,1000}?\bcharset\s{0,20}=\s{0,20}["']?\s{0,20}([\w.:-]{2,40})|^\s{0,100}<\?xml\b[^>]{0,200}?\bencoding\s{0,20}=\s{0,20}["']([\w.:-]{2,40})/i;
const PARAMETER = /;\s*charset\s*=\s*["']?\s*([\w.:-]{2,40})/i;
/** Enough to judge a text by. */
const JUDGED_BYTES = 1_000_000;
const FALLBACK = 'windows-1252';
const ESCAPE = 0x1b;

export interface DecodedText {
  /** Well-formed, without NUL: every database and every parser takes it. */
  readonly text: string;
  /** The label it was read by, in upper case. */
  readonly encoding: string;
}

/** The text of a document: by its byte order mark, its bytes, its labels, a guess, in this order. */
export function decodeText(bytes: Uint8Array, contentType?: string): DecodedText {
  const label = charsetOf(bytes, contentType);
  const text = decodedAs(bytes, encodingLabelled(label) ?? FALLBACK);
  return { text: text.replaceAll('\0', '').toWellFormed(), encoding: label.toUpperCase() };
}

function charsetOf(bytes: Uint8Array, contentType: string | undefined): string {
  const labels = labelsOf(bytes, contentType);
  return (
    byMark(bytes) ?? byZeros(bytes) ?? byBytes(bytes, labels) ?? guessedCharset(bytes) ?? FALLBACK
  );
}

function byMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return 'utf-8';
  }
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le';
  }
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Markup in UTF-16 has a zero beside nearly every character. */
function byZeros(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, 1000);
  const zerosAt = (rest: number): number =>
    start.filter((byte, index) => byte === 0 && index % 2 === rest).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  const [many, few] = [start.length * 0.3, start.length * 0.02];
  if (even <= few && odd > many) {
    return 'utf-16le';
  }
  return odd <= few && even > many ? 'utf-16be' : undefined;
}

/** UTF-8 that is valid is UTF-8 whatever is said of it; UTF-8 that is said to be it may have faults. */
function byBytes(bytes: Uint8Array, labels: readonly string[]): string | undefined {
  const japanese = labels.find((label) => encodingLabelled(label) === 'iso-2022-jp');
  if (japanese !== undefined && bytes.includes(ESCAPE)) {
    return japanese;
  }
  if (isValidUtf8(bytes)) {
    return 'utf-8';
  }
  const others = labels.filter((label) => isByteWise(encodingLabelled(label)));
  const isSaidUtf8 = labels.some((label) => encodingLabelled(label) === 'utf8');
  const isUtf8 = (isSaidUtf8 || others.length === 0) && isMostlyUtf8(bytes);
  return isUtf8 ? 'utf-8' : others[0];
}

/** UTF-16 was recognised by its bytes, or is a lie. */
const isByteWise = (encoding: string | undefined): boolean =>
  encoding !== undefined && !/^utf|^iso-2022/.test(encoding);

function labelsOf(bytes: Uint8Array, contentType = ''): string[] {
  const start = Buffer.from(bytes.subarray(0, META_BYTES)).toString('latin1');
  const [, meta, xml] = META.exec(start) ?? [];
  const [, parameter] = PARAMETER.exec(contentType) ?? [];
  return [parameter, meta ?? xml].filter((label) => label !== undefined);
}

/** A character that is cut off at the end is no fault: documents are read up to a limit. */
function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, JUDGED_BYTES));
  const faults = text.split('\ufffd').length - 1;
  const others = text.replace(/[\0-\x7f\ufffd]+/g, '').length;
  return faults < others / 10;
}

/** Node's TextDecoder reads windows-1252 wrongly (nodejs/node#56542); iconv-lite has no ISO-2022-JP. */
function decodedAs(bytes: Uint8Array, encoding: string): string {
  return /^utf|^iso-2022/.test(encoding)
    ? new TextDecoder(encoding).decode(bytes)
    : iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding);
}
