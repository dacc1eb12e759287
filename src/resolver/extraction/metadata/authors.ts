import { webAddress } from '../dom/address.js';
import { metaOf, metasOf } from '../markup/head-facts.js';
import type { PageAuthor } from '../page-content.js';
import { namesIn } from './author-name.js';
import { type Clues, firstOf, type Source } from './clues.js';
import { dereferenced, isNode, ldList, type LdNode, ldText } from './json-ld.js';
import { squashed } from './similarity.js';

const METAS = (
  'author article:author parsely-author sailthru.author dc.creator dcterms.creator dc:creator byl byline ' +
  'article:author_name og:author creator citation_author rbauthors cxenseparse:author bt:author authors ' +
  'article.author author-name og:article:author shareaholic:article_author twitter:data1'
).split(' ');
const MOST = 20;
/** Several elements of this little doubt name several authors; those of a class repeat one. */
const SURE = 3;

const SOURCES: readonly Source<readonly PageAuthor[]>[] = [
  linkedAuthors,
  metaAuthors,
  (clues) => marked(clues, 3),
  openingAuthors,
  (clues) => marked(clues, 5),
  (clues) => linkedAuthors({ ...clues, siteName: '' }),
  (clues) => metaAuthors({ ...clues, siteName: '' }),
];

/** Who wrote the page. */
export const authorsOf = (clues: Clues): PageAuthor[] =>
  withAddresses(firstOf(SOURCES.map(filled), clues) ?? [], clues).slice(0, MOST);

/** Who wrote it, by what the article finder took for a byline. */
export const authorsIn = (byline: string, clues: Clues): PageAuthor[] =>
  withAddresses(namedIn(byline, clues), clues).slice(0, MOST);

const filled =
  (source: Source<readonly PageAuthor[]>): Source<readonly PageAuthor[]> =>
  (clues) => {
    const found = source(clues);
    return found && found.length > 0 ? found : undefined;
  };

const namedIn = (line: string, { siteName }: Clues, url = ''): PageAuthor[] =>
  namesIn(line, siteName).map((name) => ({ name, url }));

function linkedAuthors(clues: Clues): PageAuthor[] {
  for (const node of clues.main) {
    const authors = ldList(node['author'] ?? node['creator']).flatMap((value) =>
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
  const names = isNode(value) ? ldList(value['name']) : [value];
  return names.flatMap((name) => namedIn(ldText(name), clues, url));
}

const addressOf = (node: LdNode): string =>
  [node['url'], node['sameAs']].map(ldText).find((url) => /^https?:/iu.test(url)) ?? '';

function metaAuthors(clues: Clues): PageAuthor[] {
  for (const key of METAS) {
    const authors = metasOf(clues.facts, key).flatMap((content) =>
      key === 'citation_author' ? [inOrder(content)] : [content],
    );
    const found = authors.flatMap((author) => namedIn(author, clues));
    if (found.length > 0 && (key !== 'twitter:data1' || isWrittenBy(clues))) {
      return unique(found);
    }
  }
  return [];
}

/** "Surname, Name" is how libraries write them. */
const inOrder = (name: string): string => name.replace(/^([^,]+),\s*([^,]+)$/u, '$2 $1');

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

function openingAuthors(clues: Clues): PageAuthor[] {
  const line = clues.survey
    .opening()
    .find(
      (text) =>
        text.length < 120 &&
        BY_ANY_CASE.test(text) &&
        BY.test(text.replace(/^\p{Lu}+/u, (by) => by.toLowerCase())),
    );
  return line === undefined ? [] : namedIn(line, clues);
}

const unique = (authors: readonly PageAuthor[]): PageAuthor[] => [
  ...new Map(authors.map((author) => [squashed(author.name), author])).values(),
];

/** The address of an author's page, where a byline links to it; never a part of the page itself. */
const withAddresses = (authors: readonly PageAuthor[], clues: Clues): PageAuthor[] =>
  authors.map(({ name, url }) => ({
    name,
    url: absolute(url || linkOf(name, authors, clues), clues.url),
  }));

/** The link that has the name; else the first one of a byline that names nobody else. */
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
