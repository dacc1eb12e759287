import { escapeUTF8 } from 'entities';

import { ARTICLE_ITSELF } from '../../../lib/extraction/page-content.js';
import { type Reader, textReader, Unreadable } from '../../../pocket-api/param-readers.js';
import { CustomParam, FlagParam, RequiredParam, TextParam } from '../../../pocket-api/params.js';
import { type PageDetails, parsePageDetails } from '../../../reading-list/details/page-details.js';
import type { Address } from '../../../reading-list/list/address.js';
import { givenTitle } from '../../../reading-list/list/item-texts.js';
import type { TagName } from '../../../reading-list/list/tag-name.js';
import { readAddress } from '../../../reading-list/list-param-readers.js';
import { readLabels } from '../tags/tag.requests.js';

/**
 * The maximum length of a title in a request. The maximum is large, because the service shortens long titles instead of
 * rejecting them.
 */
const MAX_TITLE_LENGTH = 1_000_000;
/** The maximum length of page content, as in the v3 API. */
const MAX_CONTENT_LENGTH = 2_000_000;
const MAX_HINT_LENGTH = 5000;

const readText = textReader({ max: MAX_HINT_LENGTH });

/** Reads optional data about a page. Ignores an invalid value, so that the page is saved anyway. */
const readHint: Reader<string | undefined> = (value) => {
  const text = readText(Array.isArray(value) ? value.join(',') : value);
  return text instanceof Unreadable ? undefined : text;
};

/** The changes of an entry that a client requests. Undefined properties change nothing. */
export interface EntryChanges {
  readonly title: string | undefined;
  readonly tags: readonly TagName[];
  readonly archive: boolean | undefined;
  readonly starred: boolean | undefined;
  /** An HTML page whose body is the article that the client sent. */
  readonly page: string | undefined;
  /** True creates a public link to the item. False revokes it. */
  readonly isPublic: boolean | undefined;
  readonly details: PageDetails;
}

/** The URL of the page to save. */
export class AddressRequest {
  @RequiredParam(readAddress)
  url!: Address;
}

/** The parameters of an entry except its URL. Invalid data about the page are ignored, as in wallabag. */
export class EntryRequest {
  @TextParam({ max: MAX_TITLE_LENGTH })
  title?: string;

  @CustomParam(readLabels)
  tags?: readonly TagName[];

  @FlagParam()
  archive?: boolean;

  @FlagParam()
  starred?: boolean;

  @FlagParam()
  public?: boolean;

  @TextParam({ max: MAX_CONTENT_LENGTH })
  content?: string;

  @CustomParam(readHint)
  origin_url?: string;

  @CustomParam(readHint)
  language?: string;

  @CustomParam(readHint)
  preview_picture?: string;

  @CustomParam(readHint)
  published_at?: string;

  @CustomParam(readHint)
  authors?: string;

  toChanges(): EntryChanges {
    const { title = '', tags = [], archive, starred, content } = this;
    const given = givenTitle(title);
    return {
      title: given,
      tags,
      archive,
      starred,
      page: content === undefined ? undefined : pageOfContent(content, this.hints(given)),
      isPublic: this.public,
      details: this.details(),
    };
  }

  private details(): PageDetails {
    return parsePageDetails({
      originUrl: this.origin_url,
      publishedAt: this.published_at,
      authors: this.authors,
      language: this.language,
      previewPicture: this.preview_picture,
    });
  }

  private hints(title: string | undefined): PageHints {
    return {
      title,
      language: this.language,
      authors: this.authors,
      picture: this.preview_picture,
      publishedAt: this.published_at,
    };
  }
}

/** Data about a page that a client sends in addition to the content of the page. */
interface PageHints {
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
 * Creates an HTML page from an article that a client has already extracted. Writes the client's
 * data about the page, such as the title, as metadata, so that Satchel can extract them. If the
 * client has sent a complete HTML document, returns the document unchanged.
 */
function pageOfContent(content: string, hints: PageHints): string {
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
