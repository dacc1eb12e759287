import { Injectable } from '@nestjs/common';

import type { PageContent } from '../../lib/extraction/page-content.js';
import { defined } from '../../lib/util/defined.js';
import { Clock } from '../../platform/common/clock.js';
import type { Failed, FetchedPage, FetchOutcome } from '../../platform/fetching/fetch-outcome.js';
import { documentKind } from '../../platform/fetching/mime-type.js';
import { type FetchOptions, PageFetcher } from '../../platform/fetching/page-fetcher.js';
import type { StoredFacts } from '../../reading-list/add/page-facts.js';
import { domainIdOf, normalAddress } from '../../reading-list/list/address.js';
import { itemPageOf, itemPageOfDocument, type UnnumberedPage } from './item-page.js';
import {
  type AttemptOutcome,
  PageReader,
  type PageToRead,
  type ParsedPage,
  type RequestedPause,
} from './page-reader.js';
import { Parsers } from './parsers.js';

/** Fetches pages from the public internet, and parses them in worker threads. */
@Injectable()
export class WebPageReader extends PageReader {
  constructor(
    private readonly fetcher: PageFetcher,
    private readonly parsers: Parsers,
    private readonly clock: Clock,
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
    const { encoding, ...found } = await this.found(page, userId, signal);
    const parsed = parsedPage(found, { ...facts, encoding });
    return { ...parsed, etag: headers.etag, lastModified: headers.lastModified };
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
        const { content, encoding } = await this.parsers.html(
          userId,
          { bytes, contentType, url, readAt: this.clock.now() },
          signal,
        );
        return { ...ofHtml(content, url), encoding };
      }
      case 'pdf':
      case 'text':
      case 'feed':
      case 'image': {
        const task = { kind, bytes, contentType };
        const { facts, encoding, article } = await this.parsers.document(userId, task, signal);
        const item = itemPageOfDocument(kind, facts, url);
        return { item, encoding, ...defined({ article }) };
      }
      default:
        return { item: itemPageOfDocument(kind, {}, url), encoding: '' };
    }
  }
}

/** The data that was extracted from a page or another document. */
interface Found {
  readonly item: UnnumberedPage;
  readonly article?: string;
  /** Data that only HTML pages have. Undefined for other documents. */
  readonly facts?: Pick<StoredFacts, 'datePublished' | 'usedFallback'>;
}

interface Decoded extends Found {
  /** The encoding of the document. Empty if the document is not text. */
  readonly encoding: string;
}

const ofHtml = (content: PageContent, url: string): Found => ({
  item: itemPageOf(content, url),
  ...(content.articleHtml !== '' && { article: content.articleHtml }),
  facts: {
    datePublished: content.datePublished?.toISOString() ?? null,
    usedFallback: content.usedFallback,
  },
});

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

/** Returns the outcome of a fetch that returned no page. */
function withoutPage(outcome: Exclude<FetchOutcome, FetchedPage>): AttemptOutcome {
  switch (outcome.kind) {
    case 'not-modified':
      return { kind: 'unchanged' };
    case 'refused':
      return { kind: 'failed', reason: `refused: ${outcome.reason}`, isTemporary: false };
    case 'failed': {
      const { reason, status, isTemporary } = outcome;
      const told = status === undefined ? reason : `status ${status}`;
      return { kind: 'failed', reason: told, status, isTemporary, pause: pauseOf(outcome) };
    }
  }
}

/**
 * Returns the pause that a host has requested. The host may differ from that of the saved URL, for
 * example if a URL shortener redirects to another host.
 */
function pauseOf({ route, retryAfterSeconds: seconds }: Failed): RequestedPause | undefined {
  const host = normalAddress(route.finalUrl)?.domain;
  return seconds === undefined || host === undefined ? undefined : { host, seconds };
}
