import { parseDocument } from './dom/parse-document.js';
import { scanMarkup } from './markup/scan-markup.js';
import { authorsIn, authorsOf } from './metadata/authors.js';
import type { Clues } from './metadata/clues.js';
import { dateOf } from './metadata/date.js';
import { excerptOf } from './metadata/excerpt.js';
import { ldNodes, mainNodes } from './metadata/json-ld.js';
import { languageOf } from './metadata/language.js';
import { siteNameOf } from './metadata/site-name.js';
import { surveyOf } from './metadata/survey.js';
import { titleOf } from './metadata/title.js';
import { topImageOf } from './metadata/top-image.js';
import type { PageContent, PageSource } from './page-content.js';
import { articleBody } from './text/article-body.js';
import { textBlocks } from './text/block-filter.js';
import { proseOf } from './text/prose.js';
import { wordCount } from './text/word-count.js';

export function extractPage({ html, url }: PageSource): PageContent {
  const markup = scanMarkup(html);
  const document = parseDocument(markup.html);
  const graph = ldNodes(markup.facts.jsonLd);
  const clues: Clues = {
    url: new URL(url),
    facts: markup.facts,
    graph,
    main: mainNodes(graph),
    survey: surveyOf(document.body),
    siteName: siteNameOf(markup.facts, graph),
  };
  const title = titleOf(clues);
  const date = dateOf(clues);
  const known = authorsOf(clues);
  const body = articleBody(markup.html, document, proseOf(document.body), title);
  const authors = known.length > 0 ? known : authorsIn(body.byline, clues);
  const blocks = body.element
    ? textBlocks(body.element, { title, authors: authors.map(({ name }) => name) })
    : [];
  const text = blocks.map((b) => b.text).join('\n');
  return {
    title,
    excerpt: excerptOf(
      clues,
      blocks.map((b) => b.text),
    ),
    articleHtml: '',
    text,
    wordCount: wordCount(text),
    lang: languageOf(clues),
    authors,
    images: [],
    videos: [],
    hasImage: 0,
    hasVideo: 0,
    topImage: topImageOf(clues),
    datePublished: date?.at ?? null,
    publishedDay: date?.day ?? '',
    isArticle: true,
    isIndex: false,
    canonicalUrl: '',
    site: { name: '', logo: '' },
    usedFallback: body.usedFallback,
  };
}
