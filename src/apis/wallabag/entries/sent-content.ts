import { escapeUTF8 } from 'entities';

import { ARTICLE_ITSELF } from '../../../lib/extraction/page-content.js';

/** Data that a client sends about a page, in addition to the content. */
export interface PageHints {
  readonly title: string | undefined;
  readonly language: string | undefined;
  /** The absolute URL of a picture. */
  readonly picture: string | undefined;
  /** The publication date, as unix seconds or as any text that is a date. */
  readonly publishedAt: string | undefined;
  /** The authors, separated by commas. */
  readonly authors: string | undefined;
}

const DOCUMENT = /^\s*<(?:!doctype|html|head|body)[\s>]/i;

/**
 * Converts an article that a client has extracted to a page with metadata, which article extraction reads. Returns a
 * whole document unchanged, because some clients send a whole document.
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
