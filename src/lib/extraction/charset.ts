import { detect } from 'chardet';
import iconv from 'iconv-lite';

const META_BYTES = 16_384;
const META =
  /<meta\b[^>]{0,1000}?\bcharset\s{0,20}=\s{0,20}["']?\s{0,20}([\w.:-]{2,40})|^\s{0,100}<\?xml\b[^>]{0,200}?\bencoding\s{0,20}=\s{0,20}["']([\w.:-]{2,40})/i;
const PARAMETER = /;\s*charset\s*=\s*(?:["']\s*)?([\w.:-]{2,40})/i;
/**
 * The number of bytes that are checked for UTF-8 errors. This is enough to estimate the share of
 * errors.
 */
const JUDGED_BYTES = 1_000_000;
const FALLBACK = 'windows-1252';
const ESCAPE = 0x1b;

interface DecodedText {
  /**
   * The decoded text. It is well-formed Unicode and contains no NUL character, so that every database and parser
   * accepts it.
   */
  readonly text: string;
  /** The name of the charset with which the document was decoded, in upper case. */
  readonly encoding: string;
}

/**
 * Decodes a document. The charset is detected from the byte order mark, the bytes and the declared
 * labels, in this order. If none of them identifies the charset, it is guessed.
 */
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

/**
 * Detects UTF-16 without a byte order mark. In UTF-16, the ASCII characters of the markup contain a
 * zero byte each.
 */
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

/**
 * Detects the charset from the bytes and the declared labels of a document. Returns UTF-8 if all
 * bytes are valid UTF-8, even if a label declares another charset. A few errors are allowed if a
 * label declares UTF-8, or if no label declares another charset. Otherwise, returns the first label
 * of another charset. ISO-2022-JP needs a label and an escape character.
 */
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

/**
 * Returns true for every charset except UTF-8, UTF-16 and ISO-2022-JP. A label of UTF-16 is ignored
 * here, because a real UTF-16 document was already recognized by its zero bytes.
 */
const isByteWise = (encoding: string | undefined): boolean =>
  encoding !== undefined && !/^utf|^iso-2022/.test(encoding);

function labelsOf(bytes: Uint8Array, contentType = ''): string[] {
  const start = Buffer.from(bytes.subarray(0, META_BYTES)).toString('latin1');
  const [, meta, xml] = META.exec(start) ?? [];
  const [, parameter] = PARAMETER.exec(contentType) ?? [];
  return [parameter, meta ?? xml].filter((label) => label !== undefined);
}

/**
 * Returns true for valid UTF-8, even if the last character is incomplete, because a fetched
 * document may be truncated at a size limit.
 */
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
  const errors = text.split('\ufffd').length - 1;
  const others = text.replace(/[\0-\x7f\ufffd]+/g, '').length;
  return errors < others / 10;
}

/**
 * Uses iconv-lite for most charsets, because Node's TextDecoder has a bug in windows-1252
 * (nodejs/node#56542). Uses TextDecoder for ISO-2022-JP, which iconv-lite does not support.
 */
function decodedAs(bytes: Uint8Array, encoding: string): string {
  return /^utf|^iso-2022/.test(encoding)
    ? new TextDecoder(encoding).decode(bytes)
    : iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding);
}

/** Charset labels that pages and servers use (Encoding Standard), keyed by charset. */
type Encodings = Readonly<Record<string, readonly string[]>>;

/**
 * The labels of the allowed charsets, keyed by the names in iconv-lite. All other charsets are
 * rejected, because some of them are unsafe: utf-7 can hide markup. On the web, some labels mean a
 * larger charset: `iso-8859-1` means windows-1252, and `gb2312` means gb18030.
 */
const LABELS: Encodings = {
  utf8: ['utf-8', 'utf8', 'unicode-1-1-utf-8'],
  'utf-16le': ['utf-16le', 'utf-16', 'unicode', 'ucs-2', 'iso-10646-ucs-2'],
  'utf-16be': ['utf-16be'],
  'iso-2022-jp': ['iso-2022-jp', 'csiso2022jp'],
  'windows-1252': [
    'iso-8859-1',
    'iso8859-1',
    'iso88591',
    'latin1',
    'latin-1',
    'l1',
    'ascii',
    'us-ascii',
  ],
  'windows-1254': ['iso-8859-9', 'iso8859-9', 'latin5', 'l5'],
  'windows-874': ['iso-8859-11', 'tis-620', 'dos-874'],
  'iso-8859-2': ['iso8859-2', 'latin2', 'l2'],
  'iso-8859-3': ['iso8859-3', 'latin3', 'l3'],
  'iso-8859-4': ['iso8859-4', 'latin4', 'l4'],
  'iso-8859-5': ['iso8859-5', 'cyrillic'],
  'iso-8859-6': ['iso8859-6', 'arabic', 'asmo-708', 'ecma-114'],
  'iso-8859-7': ['iso8859-7', 'greek', 'greek8', 'ecma-118'],
  'iso-8859-8': ['iso8859-8', 'iso-8859-8-i', 'hebrew', 'visual', 'logical'],
  'iso-8859-10': ['iso8859-10', 'latin6', 'l6'],
  'iso-8859-13': ['iso8859-13'],
  'iso-8859-14': ['iso8859-14'],
  'iso-8859-15': ['iso8859-15', 'latin9', 'l9'],
  'iso-8859-16': [],
  ibm866: ['ibm866', 'cp866', '866'],
  'koi8-r': ['koi8', 'koi', 'koi8_r'],
  'koi8-u': ['koi8-ru'],
  macintosh: ['macintosh', 'mac', 'x-mac-roman'],
  maccyrillic: ['x-mac-cyrillic', 'x-mac-ukrainian'],
  gb18030: ['gb18030', 'gbk', 'gb2312', 'gb_2312', 'gb_2312-80', 'x-gbk', 'chinese'],
  big5hkscs: ['big5', 'big5-hkscs', 'x-x-big5', 'cn-big5'],
  shift_jis: ['shift-jis', 'sjis', 'x-sjis', 'ms_kanji', 'windows-31j', 'ms932'],
  'euc-jp': ['x-euc-jp'],
  cp949: ['euc-kr', 'ks_c_5601-1987', 'ksc5601', 'ks_c_5601', 'windows-949', 'korean'],
};

const WINDOWS = ['1250', '1251', '1252', '1253', '1254', '1255', '1256', '1257', '1258', '874'];

const BY_LABEL = new Map<string, string>([
  ...Object.keys(LABELS).map((name) => [name, name] as const),
  ...Object.entries(LABELS).flatMap(([name, labels]) =>
    labels.map((label) => [label, name] as const),
  ),
  ...WINDOWS.flatMap((page) =>
    ['windows-', 'cp', 'x-cp'].map((prefix) => [`${prefix}${page}`, `windows-${page}`] as const),
  ),
]);

/** Returns the name that iconv-lite uses for a charset label. Returns undefined if the charset is not allowed. */
export const encodingLabelled = (label: string): string | undefined =>
  BY_LABEL.get(label.trim().toLowerCase());

const READ_BYTES = 512_000;
const SAMPLE_CHARACTERS = 16_000;
/**
 * The minimum number of non-ASCII bytes in a document whose charset is guessed. With fewer bytes, a guess is
 * unreliable.
 */
const MIN_HIGH_BYTES = 6;
const SILENT = ['script', 'style'];

/**
 * Guesses the charset from the words of a document. Returns undefined if the document contains too few non-ASCII bytes,
 * or if the guessed charset is not allowed.
 */
function guessedCharset(bytes: Uint8Array): string | undefined {
  const markup = Buffer.from(bytes.subarray(0, READ_BYTES)).toString('latin1');
  const words = textOf(markup).slice(0, SAMPLE_CHARACTERS);
  if (words.replace(/[\0-\x7f]+/g, '').length < MIN_HIGH_BYTES) {
    return undefined;
  }
  const guess = detect(Buffer.from(words, 'latin1'))?.toLowerCase() ?? '';
  const encoding = encodingLabelled(guess);
  return encoding === undefined || /^utf/.test(encoding) ? undefined : guess;
}

/**
 * Returns the text of a document without tags, scripts and styles. Takes linear time for any
 * markup.
 */
function textOf(markup: string): string {
  const parts: string[] = [];
  // Lower case does not change the length of Latin-1 letters, so offsets are the same in `lower`
  // and `markup`.
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
