import { decodeHTML, escapeUTF8 } from 'entities';

import { defined } from '../../util/defined.js';
import { parsedUrl } from '../../util/parsed-url.js';
import { parseDocument } from '../dom.js';
import { scanMarkup } from '../markup/scan-markup.js';
import { plain } from '../plain-text.js';
import { articleHtml } from '../text/article-html.js';
import { type DescribedDocument, type DocumentFacts, MAX_EXCERPT } from './document-facts.js';
import { withoutFrontMatter } from './front-matter.js';
import { describeText } from './text-and-image.js';
import { textHtml } from './text-blocks.js';

/** The maximum length of a text in characters that is shown as an article. The rest of a longer text is omitted. */
const MAX_TEXT = 2_000_000;
/** A longer Markdown document is shown as plain text, because the parser needs too much time for it. */
const MAX_MARKDOWN = 500_000;
const MARKDOWN_TYPE = /^text\/(?:x-)?markdown\b/iu;
const MARKDOWN_NAME = /\.(?:md|markdown|mdown|mkdn?)$/iu;
/** Matches the types of texts for people. All other text formats are code or data. */
const PROSE_TYPE = /^(?:text\/plain|text\/(?:x-)?(?:rst|asciidoc|org|vcard)|text\/?$|$)/iu;
const CODE_NAME =
  /\.(?:json|xml|ya?ml|toml|ini|csv|tsv|log|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|cc|cpp|h|hpp|cs|php|sh|sql|pl|lua|swift|diff|patch)$/iu;

type TextDocument = Pick<DescribedDocument, 'facts' | 'article'>;

/** Returns the metadata and the article of a text: plain text, Markdown, or code. */
export async function describeTextDocument(
  text: string,
  contentType = '',
  url = '',
): Promise<TextDocument> {
  const lines = text.replace(/\r\n?/gu, '\n');
  const path = parsedUrl(url)?.pathname ?? '';
  if (isMarkdown(contentType, path)) {
    return markdownDocument(lines, url);
  }
  const facts = describeText(lines);
  if (isCode(contentType, path)) {
    return { facts, article: `<pre>${escapeUTF8(lines.slice(0, MAX_TEXT))}</pre>` };
  }
  const body = facts.title === undefined ? lines : withoutTitle(lines);
  const article = textHtml(body.slice(0, MAX_TEXT));
  return { facts: { ...facts, ...excerptOf(article), isArticle: true }, article };
}

const EXCERPT_FROM = 5_000;

/** Returns the first words of an article without its tags. */
const excerptOf = (article: string): Pick<DocumentFacts, 'excerpt'> =>
  defined({
    excerpt: plain(
      decodeHTML(article.slice(0, EXCERPT_FROM).replace(/<[^<>]*>?/gu, ' ')),
      MAX_EXCERPT,
    ),
  });

const isMarkdown = (contentType: string, path: string): boolean =>
  MARKDOWN_TYPE.test(contentType) || MARKDOWN_NAME.test(path);

const isCode = (contentType: string, path: string): boolean =>
  !PROSE_TYPE.test(contentType) || CODE_NAME.test(path);

/** Removes the first line of a text, which is its title, and the characters that underline the title. */
const withoutTitle = (text: string): string =>
  text.trimStart().replace(/^[^\n]*\n(?:[=*~#-]{3,}[^\S\n]*\n)?/u, '');

async function markdownDocument(text: string, url: string): Promise<TextDocument> {
  const { body, facts: said } = withoutFrontMatter(text);
  const found = describeText(body);
  const title = said.title ?? found.title;
  const html =
    body.length > MAX_MARKDOWN ? textHtml(body.slice(0, MAX_TEXT)) : await markdownHtml(body, url);
  const article = html.replace(/^\s*<h1\b[^<>]*>([^<]*)<\/h1>/u, (heading, words: string) =>
    escapeUTF8(title ?? '') === words ? '' : heading,
  );
  return {
    facts: { ...found, ...excerptOf(article), ...defined({ title }), ...said, isArticle: true },
    article,
  };
}

/** Converts Markdown to HTML that is safe to show. */
async function markdownHtml(text: string, url: string): Promise<string> {
  // Loads the Markdown parser on demand, because most threads never receive a Markdown document.
  const { marked } = await import('marked');
  const html = await marked.parse(text, { gfm: true });
  return articleHtml(parseDocument(scanMarkup(html).html).body, url);
}
