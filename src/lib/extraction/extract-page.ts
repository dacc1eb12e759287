import { baseOf, type DomDocument, parseDocument } from './dom.js';
import { placeMedia } from './embeds/place-media.js';
import { metaOf } from './markup/head-reader.js';
import { type Markup, scanMarkup } from './markup/scan-markup.js';
import { withHidden } from './markup/shown-article.js';
import { bodyMedia, mediaAfter, mediaOf, NO_MEDIA } from './media/media.js';
import { addRecording } from './media/recording.js';
import { authorsIn } from './metadata/authors/authors.js';
import type { Clues } from './metadata/clues.js';
import { excerptOf } from './metadata/excerpt.js';
import { linkedData } from './metadata/json-ld.js';
import { guessedLanguage } from './metadata/language.js';
import { requiresLogin } from './metadata/login.js';
import { type Metadata, metadataOf, readClues } from './metadata/metadata.js';
import { declaresArticle, kindOf } from './metadata/page-kind.js';
import { EMPTY_SURVEY, surveyOf } from './metadata/survey.js';
import {
  ARTICLE_ITSELF,
  type PageAuthor,
  type PageContent,
  type PageSource,
} from './page-content.js';
import { isProse, listsArticles, nextPageOf } from './pagination/next-page.js';
import { repeatedLines } from './pagination/repeated-lines.js';
import { mendDocument } from './preparation/mend-document.js';
import { describedElement, lacksDescription } from './products/described.js';
import { type Product, productOf } from './products/product.js';
import { scriptArticle } from './scripts/script-article.js';
import { siteBlocks, type SitePage, sitePageOf } from './sites/site-page.js';
import {
  type ArticleBody,
  articleBody,
  type DeclaredKind,
  preparedBody,
} from './text/article-body.js';
import { articleHtml } from './text/article-html.js';
import { articleLines } from './text/article-lines.js';
import { type Block, ownLength } from './text/blocks.js';
import { isLinkLine, type Known } from './text/line-kinds.js';
import { removeLines } from './text/remove-lines.js';
import { wordCount } from './text/word-count.js';

/** Extracts the article, media and metadata of a page. */
export function extractPage(source: PageSource): PageContent {
  const markup = scanMarkup(source.html);
  const read = readMarkup(markup, source);
  return read.unlinked >= LEAST_TEXT ? read.page : longerPage(read, markup, source);
}

/** Returns the page with its hidden text or the text in its scripts, if that adds enough to a short article. */
function longerPage({ page, unlinked }: ReadPage, markup: Markup, source: PageSource): PageContent {
  const least = unlinked === 0 ? LEAST_TEXT : unlinked + MUCH_MORE;
  const shown = hiddenPage(markup, source);
  return shown !== undefined && shown.unlinked >= least
    ? shown.page
    : (scriptPage(markup, source, least) ?? page);
}

/** Reads a page together with its hidden text. Returns undefined if the page has no hidden text. */
function hiddenPage(markup: Markup, source: PageSource): ReadPage | undefined {
  const plain = withNoscript(markup.html);
  const html = withHidden(plain ?? markup.html) ?? plain;
  return html === undefined ? undefined : readMarkup({ ...markup, html }, source);
}

/**
 * Extracts the article from the data in the scripts of a page. Returns undefined if the article is shorter than
 * `least` characters.
 */
function scriptPage(markup: Markup, source: PageSource, least: number): PageContent | undefined {
  const html = scriptArticle(linkedData(markup.facts.jsonLd).own, markup.facts.states);
  const read =
    html === undefined
      ? undefined
      : readMarkup({ ...scanMarkup(html), facts: markup.facts }, source);
  return read !== undefined && read.unlinked >= least ? read.page : undefined;
}

interface ReadPage {
  readonly page: PageContent;
  /** The number of characters of the article outside of links. */
  readonly unlinked: number;
}

/**
 * The minimum number of characters of an article. If the extracted article is shorter, the page is
 * extracted again together with its hidden text, because a script might show this text in a
 * browser.
 */
const LEAST_TEXT = 250;
/**
 * The minimum number of characters that the hidden text of a page must add to its article. If it
 * adds less, the hidden text is probably a request to enable scripts, and is not used.
 */
const MUCH_MORE = 500;
const NOSCRIPT = /<noscript\b/;
const NOSCRIPT_TAGS = /<\/?noscript\b[^<>]*>/g;

const withNoscript = (html: string): string | undefined =>
  NOSCRIPT.test(html) ? html.replaceAll(NOSCRIPT_TAGS, '') : undefined;

function readMarkup(markup: Markup, source: PageSource): ReadPage {
  const document = parseDocument(markup.html);
  placeMedia(document.body);
  mendDocument(document.body);
  return readPage(markup, document, readClues(markup.facts, source, surveyOf(document.body)));
}

/**
 * The number of characters at the beginning of a page from which the metadata is extracted, if
 * extracting the whole page has failed.
 */
const HEAD_CHARACTERS = 512 * 1024;

/** Extracts only the metadata in the head of a page. The time is limited, even for a huge page. */
export function extractHead(source: PageSource): PageContent {
  const { facts } = scanMarkup(source.html.slice(0, HEAD_CHARACTERS));
  const clues = readClues(facts, source, EMPTY_SURVEY);
  const metadata = metadataOf(clues);
  return {
    ...metadata,
    ...NO_MEDIA,
    ...judged(clues, metadata, []),
    isLoginRequired: false,
    articleHtml: '',
    nextPage: '',
    usedFallback: true,
  };
}

function readPage(markup: Markup, document: DomDocument, clues: Clues): ReadPage {
  const base = baseOf(markup.facts.base, clues.url.href);
  const site = siteOf(markup, document, clues);
  const { metadata } = site ?? { metadata: metadataOf(clues) };
  const found = bodyMedia(document.body, metadata.topImage, base);
  document.title = metadata.title;
  const next = site ? '' : nextPageOf(document.body, clues, base);
  const said = saidBy(metadata);
  const body = bodyOf(markup, document, clues, { site, known: said });
  const authors = authorsOf(metadata, body, clues);
  const blocks = blocksIn(body, clues, { site, known: { ...said, authors: namesOf(authors) } });
  addRecording(body.element, clues, base);
  const media = mediaAfter(mediaOf(body.element, found, clues, base), body.element, clues.before);
  const judgement = judged(clues, { ...metadata, authors }, blocks);
  const page = {
    ...metadata,
    ...media,
    ...judgement,
    authors,
    lang: metadata.lang || guessedLanguage(textsOf(blocks).join('\n')),
    topImage: metadata.topImage || (media.images[0]?.src ?? ''),
    isLoginRequired: requiresLogin(clues, markup.html, judgement),
    nextPage: hasNext({ ...body, blocks }, clues, judgement) ? next : '',
    articleHtml: shownHtml(body, markup, clues, base),
    usedFallback: body.usedFallback,
  };
  return { page, unlinked: ownLength(blocks) };
}

const shownHtml = (
  { element }: ArticleBody,
  { formulas }: Markup,
  clues: Clues,
  base: string,
): string => (element ? articleHtml(element, base, formulas, numberOf(clues)) : '');

const saidBy = ({ title, authors, publishedDay }: Metadata): Known => ({
  title,
  authors: namesOf(authors),
  day: publishedDay,
});

/** Returns the number of the page in an article on several pages. */
const numberOf = ({ before }: Clues): number => (before?.count ?? 0) + 1;

/** Returns true if a page can have a next page: it is an article, or a further page of an article. */
const hasNext = (
  { element, blocks }: ArticleBody & { readonly blocks: readonly Block[] },
  { before }: Clues,
  { isArticle }: Judgement,
): boolean =>
  element !== undefined &&
  (before !== undefined || isArticle) &&
  isProse(blocks) &&
  !listsArticles(element);

const authorsOf = (
  { authors }: Metadata,
  { byline }: ArticleBody,
  clues: Clues,
): readonly PageAuthor[] => (authors.length > 0 ? authors : authorsIn(byline, clues));

const namesOf = (authors: readonly PageAuthor[]): string[] => authors.map(({ name }) => name);

/** Returns true if the whole body of the page is the article. Clients can send such a page. */
const isArticleItself = ({ facts }: Clues): boolean => metaOf(facts, [ARTICLE_ITSELF]) !== '';

const siteOf = (markup: Markup, document: DomDocument, clues: Clues): SitePage | undefined =>
  isArticleItself(clues) ? undefined : sitePageOf(markup, document, clues);

interface Context {
  readonly site: SitePage | undefined;
  readonly known: Known;
}

function bodyOf(
  markup: Markup,
  document: DomDocument,
  clues: Clues,
  { site, known }: Context,
): ArticleBody {
  const element = isArticleItself(clues) ? document.body : site?.article();
  if (element) {
    return { element, byline: '', usedFallback: false };
  }
  const product = productOf(clues, document.body);
  const kind = { isArticle: declaresArticle(clues), isProduct: product !== undefined };
  const found = articleBody(markup, document, kind, known);
  return product !== undefined && lacksDescription(found.element, product.description)
    ? describedBody(markup, kind, product)
    : found;
}

/** Returns the description of a product as the article. */
function describedBody(
  { html }: Markup,
  kind: DeclaredKind,
  { description }: Product,
): ArticleBody {
  const element = describedElement(preparedBody(html, kind), description);
  return { element, byline: '', usedFallback: true };
}

/**
 * Returns the lines of the article. Removes all other lines from the element tree, unless the whole
 * body is the article or a rule for the site has selected the article.
 */
function blocksIn(
  { element }: ArticleBody,
  clues: Clues,
  { site, known }: Context,
): readonly Block[] {
  if (element === undefined) {
    return [];
  }
  if (site) {
    return siteBlocks(element);
  }
  const lines = articleLines(element, known);
  const repeated = repeatedLines(lines.text, clues.before);
  if (lines.text.length > 0 && !isArticleItself(clues)) {
    const { around, labels } = lines.gone();
    removeLines(element, { around, labels: [...labels, ...repeated] });
  }
  const gone = new Set(repeated);
  return lines.text.filter((line) => !gone.has(line));
}

const textsOf = (blocks: readonly Block[]): string[] => blocks.map(({ text }) => text);

type Judgement = Pick<PageContent, 'text' | 'wordCount' | 'excerpt' | 'isArticle' | 'isIndex'>;

/** Returns the fields of a page that depend on the text of its article, such as the number of words. */
function judged(clues: Clues, metadata: Metadata, blocks: readonly Block[]): Judgement {
  const lines = textsOf(blocks);
  const own = textsOf(blocks.filter((block) => !isLinkLine(block)));
  const text = lines.join('\n');
  const words = wordCount(text);
  return {
    text,
    wordCount: words,
    excerpt: excerptOf(clues, lines),
    ...kindOf({
      clues,
      hasAuthor: metadata.authors.length > 0,
      hasDate: metadata.publishedDay !== '',
      wordCount: own.length === lines.length ? words : wordCount(own.join('\n')),
      paragraphs: own,
    }),
  };
}
