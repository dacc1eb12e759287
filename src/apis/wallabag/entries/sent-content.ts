import { escapeUTF8 } from 'entities';

import { ARTICLE_ITSELF } from '../../../lib/extraction/page-content.js';

/** Data about a page that a client sends in addition to the content of the page. */
export interface PageHints {
  readonly title: string | undefined;
  readonly language: string | undefined;
  /** The absolute URL of the page's picture. */
  readonly picture: string | undefined;
  /** The publication date, in Unix seconds or as text in any common date format. */
  readonly publishedAt: string | undefined;
  /** The names of the authors, separated by commas. */
  readonly authors: string | undefined;
}

const DOCUMENT = /^\s*<(?:!doctype|html|head|body)[\s>]/i;

/**
 * Wraps an article that a client has extracted in an HTML page, with metadata for Satchel's own extraction. Returns a
 * complete HTML document unchanged, because some clients send one.
 */
export function pageOfContent(content: string, hints: PageHints): string {
  if (DOCUMENT.test(content)) {
    return content;
  }
  const { title, language, picture, publishedAt, authors } = hints;
  const lang = language === undefined ? '' : ` lang="${escapeUTF8(language.replace('_', '-'))}"`;
  const metas = [
    ['og:title', title],
    ['og:image', picture],
    ['article:published_time', publishedAt],
    ...namesIn(authors).map((name) => ['author', name] as const),
    [ARTICLE_ITSELF, 'body'],
  ] as const;
  const head = metas.flatMap(([name, text]) =>
    text === undefined ? [] : [`<meta property="${name}" content="${escapeUTF8(text)}">`],
  );
  const shown = title === undefined ? '' : `<title>${escapeUTF8(title)}</title>`;
  return `<!doctype html><html${lang}><head><meta charset="utf-8">${shown}${head.join('')}</head><body>${content}</body></html>`;
}

const MOST_AUTHORS = 20;

const namesIn = (authors = ''): string[] =>
  authors
    .split(',', MOST_AUTHORS)
    .map((name) => name.trim())
    .filter((name) => name !== '');
