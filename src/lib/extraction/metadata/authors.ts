import { decodeHTML } from 'entities';

import { squeezed, webAddress } from '../dom.js';
import { metaOf, metasOf } from '../markup/head-reader.js';
import type { PageAuthor } from '../page-content.js';
import { type Clues, firstOf, type Source } from './clues.js';
import { dereferenced, isNode, ldList, type LdNode, ldText } from './json-ld.js';
import { squashed } from './similarity.js';

const METAS = (
  'author article:author parsely-author sailthru.author dc.creator dcterms.creator dc:creator byl byline ' +
  'article:author_name og:author creator citation_author rbauthors cxenseparse:author bt:author authors ' +
  'article.author author-name og:article:author shareaholic:article_author twitter:data1'
).split(' ');
const MOST = 20;
/**
 * The maximum number of texts that are checked for an author, because some pages list thousands. It
 * is greater than the maximum number of authors, because not every text is a name.
 */
const MOST_TRIED = 10 * MOST;
/**
 * A byline is certain if its `doubt` is below this value. If the most certain bylines of a page are
 * below this value, all of them are read. Otherwise, only the first is read, because the others
 * usually repeat its author.
 */
const SURE = 3;

const SOURCES: readonly Source<readonly PageAuthor[]>[] = [
  citedAuthors,
  linkedAuthors,
  metaAuthors,
  (clues) => marked(clues, 3),
  openingAuthors,
  (clues) => marked(clues, 5),
  (clues) => linkedAuthors({ ...clues, siteName: '' }),
  (clues) => metaAuthors({ ...clues, siteName: '' }),
];

/** Returns the authors of a page, with the addresses of their author pages. */
export const authorsOf = (clues: Clues): PageAuthor[] =>
  withAddresses((firstOf(SOURCES.map(filled), clues) ?? []).slice(0, MOST), clues);

/** Returns the authors in a byline that the article finder has extracted. */
export const authorsIn = (byline: string, clues: Clues): PageAuthor[] =>
  withAddresses(namedIn(byline, clues).slice(0, MOST), clues);

const filled =
  (source: Source<readonly PageAuthor[]>): Source<readonly PageAuthor[]> =>
  (clues) => {
    const found = source(clues);
    return found && found.length > 0 ? found : undefined;
  };

const namedIn = (line: string, { siteName, publishers }: Clues, url = ''): PageAuthor[] =>
  namesIn(line, siteName)
    .filter((name) => siteName === '' || !publishers.has(squashed(name)))
    .map((name) => ({ name, url }));

/**
 * Returns the authors in the `citation_author` elements of a page. A research paper lists all its authors in these
 * elements, for the catalogues of libraries.
 */
function citedAuthors(clues: Clues): PageAuthor[] {
  const cited = someOf(clues, 'citation_author').map(inOrder);
  return cited.length > 1 ? unique(cited.flatMap((author) => namedIn(author, clues))) : [];
}

function linkedAuthors(clues: Clues): PageAuthor[] {
  let left = MOST_TRIED;
  for (const node of clues.main) {
    const values = ldList(node['author'] ?? node['creator']).slice(0, left);
    left -= values.length;
    const authors = values.flatMap((value) =>
      linkedAuthor(dereferenced(value, clues.graph), clues),
    );
    if (authors.length > 0) {
      return unique(authors);
    }
  }
  return [];
}

function linkedAuthor(value: unknown, clues: Clues): PageAuthor[] {
  const url = isNode(value) ? addressOf(value) : '';
  const names = isNode(value) ? ldList(value['name']).slice(0, MOST) : [value];
  return names.flatMap((name) => namedIn(ldText(name), clues, url));
}

const addressOf = (node: LdNode): string =>
  [node['url'], node['sameAs']].map(ldText).find((url) => /^https?:/iu.test(url)) ?? '';

function metaAuthors(clues: Clues): PageAuthor[] {
  for (const key of METAS) {
    const authors = someOf(clues, key).flatMap((content) =>
      key === 'citation_author' || SURNAME_FIRST.test(content) ? [inOrder(content)] : [content],
    );
    const found = authors.flatMap((author) => namedIn(author, clues));
    if (found.length > 0 && (key !== 'twitter:data1' || isWrittenBy(clues))) {
      return unique(found);
    }
  }
  return [];
}

/**
 * Returns the contents of the first `<meta>` elements with a key. Reads twice the maximum number of authors, because
 * some of the elements may repeat an author.
 */
const someOf = ({ facts }: Clues, key: string): readonly string[] =>
  metasOf(facts, key).slice(0, 2 * MOST);

/** Changes a name in the format of library catalogues, "Surname, Name", to the format "Name Surname". */
const inOrder = (name: string): string => name.replace(/^([^,]+),([^,]+)$/u, '$2 $1');

const SURNAME_FIRST = /^\p{Lu}[\p{L}-]+, \p{Lu}[\p{L}-]+$/u;

const isWrittenBy = ({ facts }: Clues): boolean =>
  /written by|author|verfasst/iu.test(metaOf(facts, ['twitter:label1']));

function marked(clues: Clues, doubt: number): PageAuthor[] {
  const marks = clues.survey.bylines.filter((mark) => mark.doubt < doubt);
  const named = marks
    .map((mark) => ({ ...mark, authors: namedIn(mark.text, clues) }))
    .filter(({ authors }) => authors.length > 0);
  const least = Math.min(...named.map((mark) => mark.doubt));
  const [first, ...others] = named.filter((mark) => mark.doubt === least);
  return unique([first, ...(least < SURE ? others : [])].flatMap((mark) => mark?.authors ?? []));
}

const BY = /^(?:by|von|par|por|di)[\s:]+(\p{Lu}[^,;:!?|•·]{2,80})/u;
const BY_ANY_CASE = /^(?:by|von|par|por|di)[\s:]+/iu;

/**
 * Matches bylines with a colon. In writing systems without capital letters, only the colon
 * distinguishes a byline from a sentence.
 */
const BY_COLON =
  /^(?:автор[аы]?|autor(?:in|a|es|as)?|tác giả|ผู้เขียน|लेखक|作者)\s?[:：]\s?[\p{Lu}\p{Lo}][^,;:!?|•·！？，。：；、]{1,60}$/u;

const SENTENCE_END = /(?<! (?:jr|sr|\p{L}))\.$/iu;
/**
 * Matches a sentence that begins like a byline, such as "By Monday all was done". Does not match first names that are
 * also months, as in "By April Nordin".
 */
const BY_DAY =
  /^\S+\s+(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)(?!\p{L}| \p{Lu})/u;

const isByName = (text: string): boolean =>
  !BY_DAY.test(text) &&
  BY_ANY_CASE.test(text) &&
  BY.test(text.replace(/^\p{Lu}+/u, (by) => by.toLowerCase()));

function openingAuthors(clues: Clues): PageAuthor[] {
  const line = clues.survey
    .opening()
    .find(
      (text) =>
        text.length < 120 &&
        !SENTENCE_END.test(text) &&
        (BY_COLON.test(text.replace(/^\p{Lu}/u, (first) => first.toLowerCase())) || isByName(text)),
    );
  return line === undefined ? [] : namedIn(line, clues);
}

const unique = (authors: readonly PageAuthor[]): PageAuthor[] => [
  ...new Map(authors.map((author) => [squashed(author.name), author])).values(),
];

/**
 * Returns the authors with the addresses to which the bylines of the page link. Ignores addresses with a fragment
 * (`#`).
 */
const withAddresses = (authors: readonly PageAuthor[], clues: Clues): PageAuthor[] =>
  authors.map(({ name, url }) => ({
    name,
    url: absolute(url || linkOf(name, authors, clues), clues.url),
  }));

/**
 * Returns the address of the link whose text contains the author's name. If no such link exists, returns the address of
 * the first link in a byline that contains this author and no other author.
 */
function linkOf(name: string, authors: readonly PageAuthor[], { survey }: Clues): string {
  const marks = survey.bylines.filter(({ text }) => names(text, name));
  const own = marks.flatMap(({ links }) => links).find(({ text }) => names(text, name));
  const others = authors.filter((other) => other.name !== name);
  const alone = marks.find(
    ({ text, links }) => links.length > 0 && !others.some((other) => names(text, other.name)),
  );
  return (own ?? alone?.links[0])?.url ?? '';
}

const names = (text: string, name: string): boolean => squashed(text).includes(squashed(name));

function absolute(href: string, base: URL): string {
  const address = webAddress(href, base.href);
  return address.includes('#') ? '' : address;
}

/**
 * Matches the words before a name in a byline, such as "by". "Von" and "di" are also first names,
 * so they match only before at least two words.
 */
const PREFIX =
  /^(?:(?:article |recipe |story |words |text |written |posted |published |reported |reviewed |author(?:ed)? |created |review |interview )?(?:by|door|av|af|autor(?:in)?|author|authors|auteur|geschrieben von|ein artikel von|text|tekst|redaktion|erstellt von|verfasst von)\b[\s:]+|byby |(?:von|par|por|di)\s+(?=\S+ \S)|(?:autor(?:in|en)?|author|text|von|by|di|par|por)\s?:\s?|(?:автор[аы]?|autor(?:a|es|as)|tác giả|ผู้เขียน|लेखक|作者|文)\s?[:：]\s?)+/iu;
/**
 * Matches a lower-case word such as "von" before a name. Does not match capitalised words, because they may be first
 * names.
 */
const SMALL_PREFIX = /^(?:von|par|por|di) (?=\p{Lu})/u;
const ANY_PREFIX = /^(?:von|par|por|di) /iu;
/**
 * Matches the text after a name in a byline, such as a date or a job title. The white space of the
 * byline must be normalised to single spaces.
 */
const SUFFIX =
  / ?(?:[|•·–—] |(?<= )- |\(|@ ?\S| am$| am \d|,? (?:updated|published|posted|staff writer|founder|ceo|co-founder|read more|follow)\b|(?:,|(?<=\S \S{1,30})) (?:senior|contributor|correspondent|reporter|editor|author|writer)\b|,? (?:on (?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))\b|\d{1,2}[./: ]| (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b| (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d)/iu;
const NO_AUTHOR =
  /^(?:admin(?:istrator)?|last|updated|von|(?:\d+ )?mins? read|more about.*|(?:zeige )?alle beiträge.*|gesponserte inhalte|(?:(?:senior|staff|content|marketing|managing|contributing|freelance|associate|executive) )*(?:writer|reporter|coordinator|manager|correspondent|strategist|journalist|marketer)s?|staff|editor(?:s|ial)?(?: team)?|redaktion|redazione|la rédaction|redacción|redakcja|webmaster|guest(?: author)?|author|autor|unknown|anonymous|неизвест\S*|аноним\S*|佚名|匿名|an[oó]n[iy]mo?|anonyme|root|user|team|press release|contributor|posted|by|(?:written|posted) by|authors|the|share|online|null|undefined|none|n\/a|more|follow|about|bio|website|view (?:all |more )?posts?.*|all posts.*|(?:our|all|the|meet (?:our|the)|about (?:our|the)) (?:authors?|writers?|contributors?|editors?|team|staff)|(?:see|read) (?:more|full).*|\d.*)$/iu;
const BETWEEN =
  / ?(?:[;|\n/•]|,(?! (?:jr|sr|ph\.?d|m\.?d|esq|ii|iii)\b)|\b(?:and|und|et|with|mit|och|og)\b(?=[ \n])|&|\+) ?/iu;
/**
 * Matches the Spanish word "y" (and) between two names. Two capitalised words must follow, because before a single
 * word, "y" may be part of a name ("Ramón y Cajal").
 */
const SPANISH_AND = / y (?=\p{Lu}\S* \p{Lu})/u;
/** Matches credits of pictures, such as "Foto: Jan Kowalski". */
const CREDIT =
  /^(?:(?:title |titel)?(?:photo(?:graph(?:s|y)?)?|foto(?:s|graf(?:ía|ia)?)?|image|picture|illustration|bild(?:er)?|grafik|zdjęci[ae]|fot\.|crédit photo|фото))s?(?: (?:credit|courtesy|by|von|de|di|of))*\s?(?::|(?<= (?:by|von|courtesy)) )/iu;
/**
 * Matches dates and reading times in a byline, which are not names. Does not match a digit after a letter, because such
 * a digit may be part of a name.
 */
const DATED = /\d{4}|\s\d|^\d/u;
const ADDRESS = /https?:|www\.|^[^\s@]+@[^\s.]+\.\S+$/iu;
const LONGEST = 60;
/** Matches a name that is a single lower-case word. Such a name is ignored if the byline contains several names. */
const SMALL = /^\p{Ll}+[.!]?$/u;
/**
 * Matches a text in a byline that is part of a sentence instead of a name, such as "free tools of a vetted network".
 */
const SENTENCE = /^(?:\p{Ll}\S* (?:\S+ )+|\p{Lu}\S* (?:\S+ ){3,})\p{Ll}+\.?$/u;

/** Returns the names of people and editorial teams in a byline. */
export function namesIn(line: string, siteName: string): string[] {
  const named = line.replace(/ [-–|] https?:\S{1,200}$/u, '');
  if (ADDRESS.test(named)) {
    return [];
  }
  const bare = decodeHTML(named)
    // Keeps only the writer if the byline names several roles, such as the writer and the
    // photographer. A full-width space separates the roles: "文：小林一茶　写真：山田太郎".
    .replace(/^(文[:：][^\u3000]*)\u3000.*/su, '$1')
    .replace(/[^\S\n]+/gu, ' ')
    .trim()
    .replace(PREFIX, '')
    .replace(SMALL_PREFIX, '')
    .split('\n')
    .filter((part) => !CREDIT.test(part.trim()))
    .join('\n');
  const parts = bare
    .split(BETWEEN)
    .flatMap((part) => part.split(SPANISH_AND))
    .filter((part) => !NO_AUTHOR.test(squeezed(part)))
    .map(cleaned);
  const names = parts.filter((name) => isName(name, siteName));
  return [...new Set(names.length > 1 ? names.filter((name) => !SMALL.test(name)) : names)];
}

function cleaned(name: string): string {
  const line = squeezed(name).replace(PREFIX, '');
  const end = line.search(SUFFIX);
  return (end < 0 ? line : line.slice(0, end)).replace(/^[ ,.:-]+|(?<![ ,:-])[ ,:-]+$/gu, '');
}

/** Matches the name of a company. A company is not an author, but the owner or creator of the site. */
const COMPANY = / (?:gmbh(?: & co\.? kg)?|ltd|llc|inc|s\.r\.l|s\.p\.a|sp\. z o\.o)\.?$/iu;

const isNoName = (name: string): boolean =>
  NO_AUTHOR.test(name) ||
  NO_AUTHOR.test(name.replace(ANY_PREFIX, '')) ||
  SENTENCE.test(name) ||
  COMPANY.test(name);

function isName(name: string, siteName: string): boolean {
  const words = name.split(' ').length;
  return (
    name.length > 1 &&
    name.length <= LONGEST &&
    words <= 6 &&
    /\p{L}.?\p{L}/u.test(name) &&
    !/[{}<>=]|^\S[^\s.]*\.\S{3,}$/u.test(name) &&
    !DATED.test(name) &&
    !isNoName(name) &&
    squashed(name) !== squashed(siteName)
  );
}
