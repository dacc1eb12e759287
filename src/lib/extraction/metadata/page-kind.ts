import { metaOf } from '../markup/head-reader.js';
import { widthOf } from '../text/text-width.js';
import type { Clues } from './clues.js';
import { isArticleNode, ldTypes } from './json-ld.js';

/** The facts that decide whether a page is an article, an index or neither. */
interface Judged {
  readonly clues: Clues;
  readonly hasAuthor: boolean;
  readonly hasDate: boolean;
  readonly wordCount: number;
  /** The texts of the lines of the article. */
  readonly paragraphs: readonly string[];
}

/** Returns true if the head of a page declares an article. */
export const declaresArticle = ({ main, facts }: Clues): boolean =>
  main.some(isArticleNode) || /article/iu.test(metaOf(facts, ['og:type']));

/**
 * Features of a page as numbers from 0 to 1. Their weights were fitted by logistic regression to pages of known kind
 * (docs/research/resolving.md).
 */
const FEATURES: Readonly<Record<string, (page: Judged) => number>> = {
  // Also checks JSON-LD objects inside teasers and reviews, because the weights were fitted with these objects.
  linkedArticle: ({ clues }) => Number(clues.graph.some(isArticleNode)),
  linkedOther: ({ clues }) =>
    Number(
      clues.graph.some((node) =>
        ldTypes(node).some((type) =>
          /^(?:Product|ItemList|CollectionPage|SearchResultsPage|Store|Service)$/u.test(type),
        ),
      ),
    ),
  openGraphArticle: ({ clues }) => Number(/article/iu.test(metaOf(clues.facts, ['og:type']))),
  author: ({ hasAuthor }) => Number(hasAuthor),
  date: ({ hasDate }) => Number(hasDate),
  words: ({ wordCount }) => Math.min(Math.log10(wordCount + 1) / 4, 1),
  longParagraphs: ({ paragraphs }) =>
    Math.min(paragraphs.filter((text) => widthOf(text, LONG) >= LONG).length, 15) / 15,
  links: ({ clues, wordCount }) => Math.min(clues.survey.links / (wordCount + 50), 2) / 2,
  wordsInAddress: ({ clues }) => Math.min(lastSegment(clues.url).split(/[-_]/u).length - 1, 6) / 6,
  depth: ({ clues }) => Math.min(segments(clues.url).length, 4) / 4,
  root: ({ clues }) => Number(segments(clues.url).length === 0),
  list: ({ clues }) => Number(LIST.test(clues.url.pathname)),
  offer: ({ clues }) => Number(isOffer(clues)),
  manual: ({ clues }) => Number(MANUAL.test(clues.url.hostname + clues.url.pathname)),
};

const LONG = 200;

/**
 * Returns true if a page offers a product. The metadata of such a page declares a product or a price, or the address
 * contains a word such as "pricing".
 */
const isOffer = ({ facts, url }: Clues): boolean =>
  /product/iu.test(metaOf(facts, ['og:type'])) ||
  metaOf(facts, ['product:price:amount', 'og:price:amount']) !== '' ||
  OFFERS.test(url.pathname);

const OFFERS = /\/(?:services?|products?|solutions?|pricing)(?:\/|$)/iu;

/** Matches the address of a page in a manual. */
const MANUAL =
  /^(?:docs?|wiki|manual|help|support|developers?)\.|\/(?:docs?|documentation|wiki|manuals?|help|support|guides?|learn|reference|handbook)\//iu;

const LIST =
  /\/(?:tags?|categor(?:y|ies)|topics?|collections?|search|shop|store|archives?|page|authors?|sections?|all|browse|c|forums?)(?:\/|$)/iu;

const segments = (url: URL): string[] => url.pathname.split('/').filter((part) => part !== '');

const lastSegment = (url: URL): string => segments(url).at(-1) ?? '';

type Weights = Readonly<Record<string, number>>;

const ARTICLE: Weights = {
  bias: -2.37,
  linkedArticle: 1.2,
  linkedOther: -1.92,
  openGraphArticle: 1.97,
  author: 0.3,
  date: 0.51,
  words: 0.81,
  longParagraphs: 1.27,
  links: -4.2,
  wordsInAddress: 3.05,
  depth: 0.4,
  root: -0.41,
  list: -0.7,
  offer: -3.55,
  manual: 2.81,
};
/**
 * The weights of the features that show if a page is an index of other pages. The features `offer` and `manual` have no
 * weight, because they do not show if a page is an index.
 */
const INDEX: Weights = {
  bias: 0.87,
  linkedArticle: -1.58,
  linkedOther: -0.22,
  openGraphArticle: -1.64,
  author: -0.13,
  date: -0.99,
  words: 0.17,
  longParagraphs: -0.86,
  links: 3.27,
  wordsInAddress: -2.58,
  depth: -1.42,
  root: 0.95,
  list: 1.53,
};

const featuresOf = (page: Judged): Weights => ({
  bias: 1,
  ...Object.fromEntries(Object.entries(FEATURES).map(([name, read]) => [name, read(page)])),
});

const isLikely = (features: Weights, weights: Weights): boolean =>
  Object.entries(features).reduce((sum, [name, value]) => sum + value * (weights[name] ?? 0), 0) >
  0;

interface PageKind {
  readonly isArticle: boolean;
  readonly isIndex: boolean;
}

/** Decides whether a page is an article, an index of other pages, or neither. */
export function kindOf(page: Judged): PageKind {
  const features = featuresOf(page);
  const isArticle = page.wordCount > 0 && isLikely(features, ARTICLE);
  return { isArticle, isIndex: !isArticle && isLikely(features, INDEX) };
}
