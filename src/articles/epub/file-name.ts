/**
 * The file name of a book. `full` keeps all letters of the title. `plain` is for clients that
 * support only ASCII.
 */
export interface FileName {
  readonly full: string;
  readonly plain: string;
}

const MOST = 80;

/**
 * ASCII replacements for letters that Unicode normalization does not split into an ASCII letter and
 * an accent.
 */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '’': "'",
};

/**
 * Converts a title to ASCII letters, digits, spaces, `-` and `'`. Returns undefined for a title in
 * another script, such as Greek.
 */
export function plainTitle(title: string): string | undefined {
  const text = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{ASCII}]/gu, (sign) => PLAIN[sign] ?? sign);
  const name = tidy(text.replaceAll(/[^A-Za-z0-9' -]+/g, ' '));
  return /[^\p{ASCII}]/u.test(text.replaceAll(/[^\p{L}\p{N}]/gu, '')) || name === ''
    ? undefined
    : name;
}

/**
 * Converts the title of a book to a file name that is valid on every operating system. If the title has no valid
 * characters, the file name is `otherwise`.
 */
export function epubName(title: string, otherwise: string): FileName {
  const full = tidy(title.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}'’ -]+/gu, ' '));
  return {
    full: `${full || otherwise}.epub`,
    plain: `${plainTitle(full) ?? otherwise}.epub`,
  };
}

const tidy = (name: string): string =>
  name.replaceAll(/\s+/g, ' ').trim().slice(0, MOST).toWellFormed().trim();

/** Returns the `content-disposition` header of a download (RFC 6266). */
export const dispositionOf = ({ full, plain }: FileName): string =>
  `attachment; filename="${plain}"${full === plain ? '' : `; filename*=UTF-8''${encoded(full)}`}`;

/** Encodes a file name for the parameter `filename*` of a response header (RFC 8187). */
const encoded = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
