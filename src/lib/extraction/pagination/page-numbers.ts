import { parsedUrl } from '../../util/parsed-url.js';

/** The pages of an article that were read before the current page. Undefined for the first page. */
export interface PagesBefore {
  /** The addresses of the first page: its own address, and the canonical address that it declares. */
  readonly first: readonly string[];
  /** The number of these pages. */
  readonly count: number;
  /** The number of pictures and of videos on these pages. */
  readonly images: number;
  readonly videos: number;
  /** The text of these pages, with one line per paragraph. */
  readonly text: string;
}

const WORDS = 'page|p|pg|pag|pagina|página|seite|side|sida|sivu|strona|str';
/** Words before the number of a chapter or another text, instead of a page. */
const PARTS =
  'chapter|chapitre|kapitel|capitulo|capitolo|hoofdstuk|part|partie|parte|teil|deel|lesson|episode|folge|section|volume|vol|issue|week|day|tag';
/**
 * Match a page number in a path. The end of a path without a file extension is no page number after a hyphen, because
 * blogs number posts with the same title in this way. A number without a word has at most two digits, because longer numbers are ids or
 * years.
 */
const IN_PATH: readonly RegExp[] = [
  new RegExp(`[/_,.-](?:${WORDS})[/_=-]?(\\d{1,3})(?=\\.\\w{2,5}$|/?$)`, 'iu'),
  /\/(\d{1,2})(?=\/?$)/u,
  /(?<=\/index)(\d{1,2})(?=\.\w{2,5}$)/iu,
  new RegExp(`(?<!(?:${PARTS})s?)[_,.-](\\d{1,2})(?=\\.\\w{2,5}$)`, 'iu'),
];
const IN_QUERY = new RegExp(
  `^(?:${WORDS}|paged|pagewanted|page_?(?:no|num(?:ber)?|id)|current_?page)$`,
  'iu',
);
const NUMBER = /^\d{1,3}$/u;

/** An address that was split into a page number and the rest, which all pages of an article share. */
interface Numbered {
  readonly rest: string;
  readonly number: number;
  /** True if the first page may have the number 0, as in the queries of some systems. */
  readonly mayStartAtZero: boolean;
}

/**
 * Returns true if an address is the address of the page that follows `count` pages of an article. It must have the
 * origin of the first page, and may differ from its address only in a page number.
 */
export function isPageAfter(first: readonly string[], count: number, address: string): boolean {
  const next = parsedUrl(address);
  const origin = parsedUrl(first[0] ?? '')?.origin;
  const rests = new Set(first.flatMap(restsOf));
  return (
    next !== undefined &&
    next.origin === origin &&
    numberings(next).some(
      ({ rest, number, mayStartAtZero }) =>
        rests.has(rest) && (number === count + 1 || (mayStartAtZero && number === count)),
    )
  );
}

/** Returns the parts of an address that the addresses of further pages repeat. Empty for a page that is not the first. */
function restsOf(address: string): string[] {
  const url = parsedUrl(address);
  if (url === undefined || url.pathname === '/') {
    return [];
  }
  const numbered = numberings(url).filter(({ number }) => number <= 1);
  return [restOf(url, url.pathname), ...numbered.map(({ rest }) => rest)];
}

/** Returns all ways to split an address into a page number and the rest. */
function numberings(url: URL): Numbered[] {
  const inPath = IN_PATH.flatMap((pattern) => {
    const number = pattern.exec(url.pathname)?.[1];
    return number === undefined
      ? []
      : [numbered(restOf(url, url.pathname.replace(pattern, '')), number)];
  });
  const inQuery = [...url.searchParams].flatMap(([name, value]) =>
    IN_QUERY.test(name) && NUMBER.test(value)
      ? [{ ...numbered(restOf(url, url.pathname, name), value), mayStartAtZero: true }]
      : [],
  );
  return [...inPath, ...inQuery];
}

const numbered = (rest: string, number: string): Numbered => ({
  rest,
  number: Number(number),
  mayStartAtZero: false,
});

/** Returns an address without its fragment, a slash at the end of its path, and a parameter of its query. */
function restOf(url: URL, path: string, without = ''): string {
  const query = new URLSearchParams(url.searchParams);
  query.delete(without);
  query.sort();
  return `${url.origin}${path.endsWith('/') ? path.slice(0, -1) : path}?${query.toString()}`;
}
