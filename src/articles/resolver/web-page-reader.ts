import { Injectable } from '@nestjs/common';
import { escapeUTF8 } from 'entities';

import {
  type DescribedDocument,
  fileTitle,
} from '../../lib/extraction/documents/document-facts.js';
import { isWall } from '../../lib/extraction/metadata/login.js';
import type { PageContent } from '../../lib/extraction/page-content.js';
import { defined } from '../../lib/util/defined.js';
import { Clock } from '../../platform/common/clock.js';
import type { Failed, FetchedPage, FetchOutcome } from '../../platform/fetching/fetch-outcome.js';
import { type DocumentKind, documentKind } from '../../platform/fetching/mime-type.js';
import { type FetchOptions, PageFetcher } from '../../platform/fetching/page-fetcher.js';
import { english } from '../../platform/i18n/translator.js';
import { LOGIN, type StoredFacts } from '../../reading-list/add/page-facts.js';
import { domainIdOf, normalAddress } from '../../reading-list/list/address.js';
import { FurtherPages, pauseOf } from './further-pages.js';
import { itemPageOf, itemPageOfDocument, type UnnumberedPage } from './item-page.js';
import {
  type AttemptOutcome,
  type FurtherRequests,
  PageReader,
  type PageToRead,
  type ParsedPage,
} from './page-reader.js';
import { Parsers } from './parsers.js';

/** Fetches pages from the public internet, and parses them in worker threads. */
@Injectable()
export class WebPageReader extends PageReader {
  constructor(
    private readonly fetcher: PageFetcher,
    private readonly parsers: Parsers,
    private readonly clock: Clock,
    private readonly furtherPages: FurtherPages,
  ) {
    super();
  }

  override async read(page: PageToRead, signal: AbortSignal): Promise<AttemptOutcome> {
    const previous = previousOf(page);
    const outcome = await this.fetcher.fetch(page.url, defined({ previous, signal }));
    return outcome.kind === 'page'
      ? this.readDocument(outcome, page.userId, signal)
      : withoutPage(outcome);
  }

  override async readHtml(url: string, html: string, userId: string): Promise<ParsedPage> {
    const { content } = await this.parsers.html(userId, {
      html: html.replaceAll('\0', '').toWellFormed(),
      url,
      readAt: this.clock.now(),
    });
    const contentLength = Buffer.byteLength(html);
    const sent = { mimeType: 'text/html', encoding: 'UTF-8', contentLength };
    return parsedPage(ofHtml(content, url), { ...unknownFacts(url), ...sent });
  }

  private async readDocument(
    page: FetchedPage,
    userId: string,
    signal: AbortSignal,
  ): Promise<ParsedPage> {
    const { headers, route } = page;
    const facts: Omit<StoredFacts, 'encoding'> = {
      ...unknownFacts(route.finalUrl),
      responseCode: page.status,
      mimeType: page.mimeType,
      contentLength: page.contentLength ?? page.body.byteLength,
      isInnerDomainRedirect: route.isInnerDomainRedirect,
    };
    const { encoding, further, ...found } = await this.found(page, userId, signal);
    const parsed = parsedPage(found, { ...facts, encoding });
    // The validators of the first page do not say whether the further pages have changed.
    const { etag, lastModified } = further?.isShown === true ? NO_VALIDATORS : headers;
    return { ...parsed, etag, lastModified, further };
  }

  /**
   * Parses a document in a worker thread. The caller can no longer read the bytes of the document,
   * because they are transferred to this thread.
   */
  private async found(page: FetchedPage, userId: string, signal: AbortSignal): Promise<Decoded> {
    const kind = documentKind(page.mimeType);
    const [url, contentType, bytes] = [page.route.finalUrl, page.headers.contentType, page.body];
    switch (kind) {
      case 'html': {
        const size = bytes.byteLength;
        const { content, encoding } = await this.parsers.html(
          userId,
          { bytes, contentType, url, readAt: this.clock.now() },
          signal,
        );
        const whole = await this.furtherPages.addTo({ content, url, bytes: size }, userId, signal);
        return { ...ofHtml(whole.content, url), encoding, further: whole.further };
      }
      case 'pdf':
      case 'text':
      case 'feed':
      case 'image': {
        const task = { kind, bytes, contentType, url };
        const described = await this.parsers.document(userId, task, signal);
        return { ...ofDocument(kind, described, url), encoding: described.encoding };
      }
      default:
        return { ...ofFile(kind, page.mimeType, url), encoding: '' };
    }
  }
}

/** The data that was extracted from a page or another document. */
const NO_VALIDATORS = { etag: undefined, lastModified: undefined };

interface Found {
  readonly item: UnnumberedPage;
  readonly article?: string;
  /** Data that only HTML pages have. Undefined for other documents. */
  readonly facts?: Pick<StoredFacts, 'datePublished' | 'usedFallback' | 'isLoginRequired'>;
}

interface Decoded extends Found {
  /** The encoding of the document. Empty if the document is not text. */
  readonly encoding: string;
  readonly further?: FurtherRequests | undefined;
}

const ofHtml = (content: PageContent, url: string): Found => ({
  item: itemPageOf(content, url),
  ...(content.articleHtml !== '' && { article: content.articleHtml }),
  facts: {
    datePublished: content.datePublished?.toISOString() ?? null,
    usedFallback: content.usedFallback,
    isLoginRequired: content.isLoginRequired,
  },
});

function ofDocument(kind: DocumentKind, { facts, article }: DescribedDocument, url: string): Found {
  const { published } = facts;
  return {
    item: itemPageOfDocument(kind, facts, url),
    ...defined({ article: article || undefined }),
    ...(published !== undefined && {
      facts: {
        datePublished: `${published}T00:00:00.000Z`,
        usedFallback: false,
        isLoginRequired: false,
      },
    }),
  };
}

/** Returns the data of a file without text. The article of a book or a recording is a link that names its kind. */
function ofFile(kind: DocumentKind, mimeType: string, url: string): Found {
  const name = fileKindOf(kind, mimeType);
  const title = fileTitle(url) ?? url;
  return name === undefined
    ? { item: itemPageOfDocument(kind, {}, url) }
    : {
        item: itemPageOfDocument(kind, { excerpt: name }, url),
        article: `<p><a href="${escapeUTF8(url)}" rel="noopener noreferrer">${escapeUTF8(name)}: ${escapeUTF8(title)}</a></p>`,
      };
}

function fileKindOf(kind: DocumentKind, mimeType: string): string | undefined {
  if (kind === 'audio') {
    return english.text('files.audio');
  }
  return mimeType === 'application/epub+zip' ? english.text('files.epub') : undefined;
}

const parsedPage = ({ item, article, facts }: Found, known: StoredFacts): ParsedPage => ({
  kind: 'parsed',
  record: { item, facts: { ...known, ...facts } },
  article,
  etag: undefined,
  lastModified: undefined,
});

/** Returns the data that follow from the URL of a page, with defaults for all other data. */
const unknownFacts = (url: string): StoredFacts => ({
  resolvedNormalUrl: normalAddress(url)?.normalUrl ?? url,
  domainId: domainIdOf(url),
  responseCode: 200,
  mimeType: '',
  contentLength: 0,
  encoding: '',
  datePublished: null,
  isInnerDomainRedirect: false,
  isLoginRequired: false,
  usedFallback: false,
});

/**
 * Returns the HTTP validators (ETag, Last-Modified) of the stored page, and the URL that they
 * belong to. With validators, a server need not send an unchanged page again.
 */
const previousOf = ({ resolvedUrl, etag, lastModified }: PageToRead): FetchOptions['previous'] =>
  resolvedUrl === null
    ? undefined
    : { finalUrl: resolvedUrl, etag: etag ?? undefined, lastModified: lastModified ?? undefined };

/**
 * Returns true if a response with status 403 offers a login or a subscription. Servers also send this status to programs
 * that they reject.
 */
const needsLogin = ({ notice }: Failed): boolean =>
  notice !== undefined && isWall(new TextDecoder().decode(notice));

/** Returns the outcome of a fetch that returned no page. */
function withoutPage(outcome: Exclude<FetchOutcome, FetchedPage>): AttemptOutcome {
  switch (outcome.kind) {
    case 'not-modified':
      return { kind: 'unchanged' };
    case 'refused':
      return { kind: 'failed', reason: `refused: ${outcome.reason}`, isTemporary: false };
    case 'failed': {
      const { reason, status, isTemporary } = outcome;
      const told =
        status === undefined ? reason : `status ${status}${needsLogin(outcome) ? LOGIN : ''}`;
      return { kind: 'failed', reason: told, status, isTemporary, pause: pauseOf(outcome) };
    }
  }
}
