import { baseOf, type DomDocument, parseDocument } from './dom.js';
import { metaOf } from './markup/head-reader.js';
import { type Markup, scanMarkup } from './markup/scan-markup.js';
import { withHidden } from './markup/shown-article.js';
import { bodyMedia, mediaOf, NO_MEDIA } from './media/media.js';
import { authorsIn } from './metadata/authors.js';
import type { Clues } from './metadata/clues.js';
import { excerptOf } from './metadata/excerpt.js';
import { guessedLanguage } from './metadata/language.js';
import { type Metadata, metadataOf, readClues } from './metadata/metadata.js';
import { declaresArticle, kindOf } from './metadata/page-kind.js';
import { EMPTY_SURVEY, surveyOf } from './metadata/survey.js';
import {
  ARTICLE_ITSELF,
  type PageAuthor,
  type PageContent,
  type PageSource,
} from './page-content.js';
import { siteBlocks, type SitePage, sitePageOf } from './sites/site-page.js';
import { type ArticleBody, articleBody } from './text/article-body.js';
import { articleHtml } from './text/article-html.js';
import { articleLines } from './text/article-lines.js';
import { type Block, ownLength } from './text/blocks.js';
import { isLinkLine, type Known } from './text/line-kinds.js';
import { removeLines } from './text/remove-lines.js';
import { wordCount } from './text/word-count.js';

/** Extracts the article, media and metadata of a page. */
export function extractPage(source: PageSource): PageContent {
  const markup = scanMarkup(source.html);
  const { page, unlinked } = readMarkup(markup, source);
  if (unlinked >= LEAST_TEXT) {
    return page;
  }
  const least = unlinked === 0 ? LEAST_TEXT : unlinked + MUCH_MORE;
  const plain = withNoscript(markup.html);
  const html = withHidden(plain ?? markup.html) ?? plain;
  const other = html === undefined ? undefined : readMarkup({ ...markup, html }, source);
  return other !== undefined && other.unlinked >= least ? other.page : page;
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
    articleHtml: '',
    usedFallback: true,
  };
}

function readPage(markup: Markup, document: DomDocument, clues: Clues): ReadPage {
  const base = baseOf(markup.facts.base, clues.url.href);
  const site = siteOf(markup, document, clues);
  const { metadata } = site ?? { metadata: metadataOf(clues) };
  const found = bodyMedia(document.body, metadata.topImage, base);
  document.title = metadata.title;
  const said = {
    title: metadata.title,
    authors: namesOf(metadata.authors),
    day: metadata.publishedDay,
  };
  const body = bodyOf(markup, document, clues, { site, known: said });
  const authors = metadata.authors.length > 0 ? metadata.authors : authorsIn(body.byline, clues);
  const blocks = blocksIn(body, clues, { site, known: { ...said, authors: namesOf(authors) } });
  const media = mediaOf(body.element, found, clues, base);
  const page = {
    ...metadata,
    ...media,
    ...judged(clues, { ...metadata, authors }, blocks),
    authors,
    lang: metadata.lang || guessedLanguage(textsOf(blocks).join('\n')),
    topImage: metadata.topImage || (media.images[0]?.src ?? ''),
    articleHtml: body.element ? articleHtml(body.element, base) : '',
    usedFallback: body.usedFallback,
  };
  return { page, unlinked: ownLength(blocks) };
}

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
  return element
    ? { element, byline: '', usedFallback: false }
    : articleBody(markup, document, declaresArticle(clues), known);
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
  if (lines.text.length > 0 && !isArticleItself(clues)) {
    removeLines(element, lines.gone());
  }
  return lines.text;
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
