import { webAddress } from '../../dom.js';
import { metaOf, metasOf } from '../../markup/head-reader.js';
import type { PageAuthor } from '../../page-content.js';
import { type Clues, firstOf, type Source } from '../clues.js';
import { dereferenced, isNode, ldList, type LdNode, ldText } from '../json-ld.js';
import { squashed } from '../similarity.js';
import { bylineIn, labelledIn, nameBeforeDate } from './author-lines.js';
import { namesIn } from './names.js';

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
  writtenAuthors,
  unlabelledAuthors,
  (clues) => linkedAuthors({ ...clues, siteName: '' }),
  (clues) => metaAuthors({ ...clues, siteName: '' }),
];

/** Returns the authors of a page, with the addresses of their author pages. */
export function authorsOf(clues: Clues): PageAuthor[] {
  const said = firstOf(SOURCES.map(filled), clues) ?? [];
  return withAddresses((shownInstead(said, clues) ?? said).slice(0, MOST), clues);
}

/**
 * The minimum uncertainty of a byline that does not replace the names in the head of a page.
 */
const DOUBTFUL = 3;

/**
 * Returns the authors in a certain byline of the page if the page shows none of the names in `said`. The head of a page
 * often names the owner of the site or the account that has published the page, instead of the writer.
 */
function shownInstead(said: readonly PageAuthor[], clues: Clues): PageAuthor[] | undefined {
  const text = squashed(clues.survey.bylines.map((mark) => mark.text).join(' '));
  const isShown = said.some(({ name }) => text.includes(squashed(name)));
  const shown = said.length === 0 || isShown ? [] : marked(clues, DOUBTFUL);
  return shown.length === 0 ? undefined : shown;
}

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
  const named = clues.survey.bylines
    .filter((mark) => mark.doubt < doubt)
    .map((mark) => ({ ...mark, authors: namedIn(mark.text, clues) }))
    .filter(({ authors }) => authors.length > 0);
  const least = Math.min(...named.map((mark) => mark.doubt));
  const certain = named.filter((mark) => mark.doubt === least);
  return unique(
    (least < SURE ? together(certain) : certain.slice(0, 1)).flatMap(({ authors }) => authors),
  );
}

/**
 * The maximum number of elements between two bylines of one article. Bylines with more elements between them are of
 * different posts or articles.
 */
const NEAR = 40;

/** Returns the first bylines of a page, up to the first large gap between two of them. */
function together<T extends { readonly order: number }>(marks: readonly T[]): readonly T[] {
  const gap = marks.findIndex(({ order }, at) => order - (marks[at - 1]?.order ?? order) > NEAR);
  return gap < 0 ? marks : marks.slice(0, gap);
}

/** Returns the authors in a line near the headline, such as "By Ada Nordin". */
function openingAuthors(clues: Clues): PageAuthor[] {
  const line = bylineIn(clues.survey.opening());
  return line === undefined ? [] : namedIn(line, clues);
}

/** Returns the authors in a line that a label marks as a byline, anywhere on the page. */
function writtenAuthors(clues: Clues): PageAuthor[] {
  const line = labelledIn(clues.survey.lines());
  return line === undefined ? [] : namedIn(line, clues);
}

/** Returns the author in a line between the headline and the date. No label marks this line. */
function unlabelledAuthors(clues: Clues): PageAuthor[] {
  const line = nameBeforeDate(clues.survey.opening());
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
