/** What a file is called: in the letters of its title, and in plain ones for clients that know no others. */
export interface FileName {
  readonly full: string;
  readonly plain: string;
}

const MOST = 80;

/** Letters of Latin alphabets that are no plain letter with a mark. */
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

/** The title in letters, digits, blanks, `-` and `'` of ASCII; undefined for one that has others, such as Greek ones. */
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

/** The name of a book for any system, with the letters of any language; `otherwise` is for a title that has no plain name. */
export function epubName(title: string, otherwise: string): FileName {
  const full = tidy(title.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}'’ -]+/gu, ' '));
  return {
    full: `${full || otherwise}.epub`,
    plain: `${plainTitle(full) ?? otherwise}.epub`,
  };
}

const tidy = (name: string): string =>
  name.replaceAll(/\s+/g, ' ').trim().slice(0, MOST).toWellFormed().trim();

/** Has an answer saved as a file (RFC 6266). */
export const dispositionOf = ({ full, plain }: FileName): string =>
  `attachment; filename="${plain}"${full === plain ? '' : `; filename*=UTF-8''${encoded(full)}`}`;

/** In the characters of RFC 8187. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
