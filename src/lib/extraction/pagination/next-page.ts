import { attribute, type DomElement, eachElement, startOf, webAddress } from '../dom.js';
import { linkOf } from '../markup/head-reader.js';
import type { Clues } from '../metadata/clues.js';
import { type Block, textLength } from '../text/blocks.js';
import { isPageAfter } from './page-numbers.js';

/** Words with which pages label the link to their next page, alone or before a title. */
const NEXT = new RegExp(
  '^(?:(?:go to |show )?(?:the )?next(?: page)?|continue(?: reading)?|read on|weiter|(?:zur )?nächsten? seite|' +
    '(?:page )?suivante?|siguiente(?: página)?|(?:página )?siguiente|próxima(?: página)?|(?:pagina )?successiva|avanti|' +
    'volgende(?: pagina)?|nästa(?: sida)?|næste(?: side)?|neste(?: side)?|następna(?: strona)?|dalej|další(?: strana)?|' +
    'следующая(?: страница)?|далее|sonraki(?: sayfa)?|次へ|次の?ページ(?:へ)?|下一[页頁]|다음(?: 페이지)?)(?=$|\\s*[:–—-])',
  'iu',
);
const ARROWS = /^(?:>>?|[»›→▶►⟩⯈]+)$/u;
/** Matches brackets and arrows around a label. */
const AROUND = /[«‹()[\]|·•…»›→▶►⟩⯈>]/gu;
const NUMBERED = /^(?:(?:page|seite|pagina|página|side|sida|strona)\s*)?(\d{1,3})(?!\d)/iu;
const LONGEST_LABEL = 80;
/** The maximum number of links that are checked. */
const MOST_LINKS = 5_000;

/**
 * Returns the address of the next page of the article on a page. Returns an empty text if the page has no link to such
 * a page. The link must be labelled as the next page, and its address may differ from that of the first page only in a
 * page number, because `rel=next` and "Next" also lead to the next article, chapter or thread.
 */
export function nextPageOf(
  body: DomElement,
  { facts, url, before }: Pick<Clues, 'facts' | 'url' | 'before'>,
  base: string,
): string {
  const first = before?.first ?? [url.href, webAddress(linkOf(facts, 'canonical'), base)];
  const count = (before?.count ?? 0) + 1;
  const isNext = (address: string): boolean => isPageAfter(first, count, address);
  const declared = facts.links
    .filter(({ rel }) => isRelNext(rel))
    .map(({ href }) => plainAddress(href, base))
    .find(isNext);
  return declared ?? linkedPage(body, count + 1, base, isNext);
}

/** The number of headings that lead to other pages, from which a page is a list of articles. */
const LIST = 2;

/** Returns true if headings of the article lead to other pages, as in a blog or an archive that shows several posts. */
export const listsArticles = (article: DomElement): boolean =>
  [...article.querySelectorAll('h1, h2, h3, h4')].filter((heading) => {
    const link = heading.querySelector('a[href]') ?? heading.closest('a[href]');
    return link !== null && startOf(link, LONGEST_LABEL) === startOf(heading, LONGEST_LABEL);
  }).length >= LIST;

const LONG_LINE = 80;

/** Returns true if most of the text is in paragraphs. A list of products has several pages too, but consists of short lines. */
export const isProse = (blocks: readonly Block[]): boolean =>
  textLength(blocks.filter(({ text }) => text.length >= LONG_LINE)) >= textLength(blocks) / 2;

const isRelNext = (rel: string): boolean => /(?:^|\s)next(?:$|\s)/iu.test(rel);

function linkedPage(
  body: DomElement,
  number: number,
  base: string,
  isNext: (address: string) => boolean,
): string {
  let [found, links] = ['', 0];
  eachElement(body, (element) => {
    if (element.localName === 'a' && links < MOST_LINKS) {
      links += 1;
      const address = isLabelled(element, number) ? plainAddress(hrefOf(element), base) : '';
      found = address !== '' && isNext(address) ? address : found;
    }
    return found === '';
  });
  return found;
}

const hrefOf = (link: DomElement): string => attribute(link, 'href');

/** Returns the absolute address without its fragment. */
const plainAddress = (href: string, base: string): string =>
  webAddress(href, base).split('#', 1).join('');

/** Returns true if the label of a link is the number of the next page, or says that it is the next page. */
function isLabelled(link: DomElement, number: number): boolean {
  return /\d/u.test(hrefOf(link)) && labelsOf(link).some((label) => isLabel(label, number));
}

const labelsOf = (link: DomElement): string[] =>
  [startOf(link, LONGEST_LABEL), attribute(link, 'aria-label'), attribute(link, 'title')].map(
    (label) => label.trim(),
  );

function isLabel(label: string, number: number): boolean {
  const words = label.replaceAll(AROUND, ' ').trim();
  return (
    ARROWS.test(label) || NEXT.test(words) || Number(NUMBERED.exec(words)?.[1] ?? 0) === number
  );
}
