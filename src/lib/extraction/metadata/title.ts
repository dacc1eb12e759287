import { decodeHTML } from 'entities';

import { squeezed } from '../dom.js';
import { metaOf } from '../markup/head-reader.js';
import { type Clues, firstOf, type Source } from './clues.js';
import { hasNameOfSite, isLastOfTitle, isOfOtherPage, siteNames } from './headlines.js';
import { ldText } from './json-ld.js';
import { similarity, squashed } from './similarity.js';
import { beforeBar, beforeSections, partsOf, withoutNames } from './title-parts.js';

const LONGEST = 500;

/** The data of a page from which its title is derived. */
interface TitleClues extends Clues {
  /** The headlines of the page, without those that are the name of the site or the title of another page. */
  readonly own: readonly string[];
  /** The names by which the site is recognised in titles. */
  readonly names: readonly string[];
  /**
   * The three titles in the head of the page, without the names of the site: og:title, the headline in JSON-LD, and
   * `<title>`.
   */
  readonly said: readonly [string, string, string];
}

const SOURCES: readonly Source<string, TitleClues>[] = [
  agreeingHeading,
  ({ facts, names }) =>
    withoutNames(decodeHTML(metaOf(facts, ['og:title', 'twitter:title'])), names),
  ({ said: [, headline] }) => headline,
  shownPart,
  (clues) => (isNameOnly(clues) ? undefined : withoutSuffix(clues)),
  ({ own }) => (own.length === 1 ? own.find(isLong) : undefined),
  withoutSuffix,
  ({ survey: { headings } }) => (headings.length === 1 ? headings[0]?.text : undefined),
  ({ facts }) => decodeHTML(facts.title),
];

/** Returns the title of the page from the most reliable source that contains a title. */
export const titleOf = (clues: Clues): string =>
  squeezed((firstOf(SOURCES, titleClues(clues)) ?? '').slice(0, LONGEST));

function titleClues(clues: Clues): TitleClues {
  const { facts, main, survey } = clues;
  const headings = survey.headings.filter(({ text }) => text !== '');
  const ofSite = headings.filter(
    (heading) => hasNameOfSite(heading, clues) || isLastOfTitle(heading, clues),
  );
  const names = [...siteNames(clues), ...ofSite.map(({ text }) => text)];
  const own = headings.filter(
    (heading) => !ofSite.includes(heading) && !isOfOtherPage(heading, clues),
  );
  const bare = (text: string): string => withoutNames(decodeHTML(text), names);
  const headline = main.map((node) => ldText(node['headline'])).find((text) => text !== '') ?? '';
  return {
    ...clues,
    own: own.map(({ text }) => text),
    names,
    said: [bare(metaOf(facts, ['og:title'])), bare(headline), bare(facts.title)],
  };
}

/**
 * The minimum similarity to a title in the head of the page at which a headline is the title of the
 * page. `only` is for pages with one relevant headline, and `several` for other pages.
 */
const AGREEING = { only: 0.2, several: 0.4 };

const agreement = (text: string, said: readonly string[]): number =>
  Math.max(...said.map((one) => similarity(text, one)));

/**
 * Returns the headline that is most similar to one of the titles in the head of the page. Among
 * equally similar headlines, similarity to og:title wins, and then similarity to the JSON-LD
 * headline.
 */
function agreeingHeading(clues: TitleClues): string | undefined {
  const { said } = clues;
  const sourceOf = (text: string): number =>
    said.findIndex((one) => similarity(text, one) === agreement(text, said));
  const [best] = clues.own.toSorted(
    (a, b) => agreement(b, said) - agreement(a, said) || sourceOf(a) - sourceOf(b),
  );
  const least = best !== undefined && isOnly(best, clues) ? AGREEING.only : AGREEING.several;
  return best !== undefined && agreement(best, said) >= least ? trimmed(best, said) : undefined;
}

/**
 * Returns true if all other headlines of the page are irrelevant. A headline is irrelevant if it shares no word with
 * the titles in the head of the page.
 */
function isOnly(headline: string, { survey, said, facts }: TitleClues): boolean {
  const whole = [...said, metaOf(facts, ['og:title']), facts.title];
  return survey.headings.every(
    ({ text }) =>
      text === '' || text === headline || (isLong(headline) && agreement(text, whole) === 0),
  );
}

const MANY_WORDS = 4;

/**
 * Returns true if a headline has enough words to be the title. A shorter headline may belong to a box beside the
 * article, and be similar to a title in the head only by chance.
 */
function isLong(headline: string): boolean {
  return headline.split(/\s+/u).length >= MANY_WORDS;
}

/**
 * Removes additional text from a headline, such as a date before the title or a comment count after
 * it. Keeps text that is also in a title in the head of the page.
 */
function trimmed(headline: string, said: readonly string[]): string {
  const isSaid = said.some((one) => squashed(one) === squashed(headline));
  const within = isSaid ? undefined : said.find((one) => isWithin(one, headline));
  return within ?? beforeBar(headline);
}

/**
 * Returns true if a headline contains a title from the head of the page. Returns false if a colon precedes this title
 * in the headline, because the text before the colon is then a part of the title.
 */
const isWithin = (title: string, headline: string): boolean =>
  title.split(/\s+/u).length >= 3 &&
  title.length > headline.length / 2 &&
  headline.includes(title) &&
  !headline.slice(0, headline.indexOf(title)).trimEnd().endsWith(':');

/**
 * Returns the part of `<title>` that the page also shows as a heading. The other parts of `<title>` are the names of
 * the section and the site.
 */
function shownPart(clues: TitleClues): string | undefined {
  const parts = partsOf(decodeHTML(clues.facts.title)).map(({ text }) => text);
  const shown = new Set(
    clues.survey.subheadings
      .filter((heading) => !isOfOtherPage(heading, clues))
      .map(({ text }) => squashed(text)),
  );
  return parts
    .filter((text) => parts.length > 1 && text.length > 3 && shown.has(squashed(text)))
    .filter((text) => !isOneOf(text, clues.names))
    .sort((a, b) => b.length - a.length)[0];
}

const isOneOf = (text: string, names: readonly string[]): boolean =>
  names.some((name) => squashed(name) === squashed(text));

/** Returns true if `<title>` is only the name of the site. Some sites use the same `<title>` for all their pages. */
const isNameOnly = ({ said, names, url }: TitleClues): boolean =>
  url.pathname !== '/' && isOneOf(said[2], names);

/**
 * Returns `<title>` without the names of the section and the site at its end. Removes the text after a bar or an arrow.
 * Keeps the text after a dash, because this text may belong to the title of the page.
 */
function withoutSuffix({ facts, said: [, , bare] }: TitleClues): string {
  return bare === squeezed(decodeHTML(facts.title)) ? beforeBar(bare) : beforeSections(bare);
}
