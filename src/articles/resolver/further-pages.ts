import { Logger } from '@nestjs/common';
import { escapeUTF8 } from 'entities';

import type { PageContent } from '../../lib/extraction/page-content.js';
import {
  continues,
  firstOf,
  joined,
  type JoinedPages,
} from '../../lib/extraction/pagination/join-pages.js';
import type { Clock } from '../../platform/common/clock.js';
import type { Failed, FetchedPage, FetchOutcome } from '../../platform/fetching/fetch-outcome.js';
import { documentKind } from '../../platform/fetching/mime-type.js';
import type { PageFetcher } from '../../platform/fetching/page-fetcher.js';
import { english } from '../../platform/i18n/translator.js';
import { normalAddress } from '../../reading-list/list/address.js';
import type { FurtherRequests, RequestedPause } from './page-reader.js';
import type { Parsers } from './parsers.js';

/** Limits for all pages of one article together. */
interface FurtherLimits {
  readonly pages: number;
  /** The maximum number of bytes of the HTML of all pages. */
  readonly bytes: number;
  /** The time limit in milliseconds for fetching and parsing all further pages. */
  readonly ms: number;
}

const LIMITS: FurtherLimits = { pages: 10, bytes: 10_000_000, ms: 30_000 };

interface FirstPage {
  readonly content: PageContent;
  readonly url: string;
  /** The number of bytes of its HTML. */
  readonly bytes: number;
}

interface WholeArticle {
  readonly content: PageContent;
  /** The requests for further pages. Undefined if the page is a whole article. */
  readonly further: FurtherRequests | undefined;
}

/** The result of an attempt to add the next page. */
type Step = 'joined' | 'failed' | 'ended';

/**
 * Adds the further pages of an article on several pages to its first page. Fetches them one after the other, with the
 * same protection and limits as any page, and parses them in worker threads (docs/decisions/0115).
 */
export class FurtherPages {
  private readonly logger = new Logger(FurtherPages.name);
  private readonly limits: FurtherLimits;

  constructor(
    private readonly fetcher: PageFetcher,
    private readonly parsers: Parsers,
    private readonly clock: Pick<Clock, 'now'>,
    limits: Partial<FurtherLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
  }

  /**
   * Returns the whole article. If a further page cannot be fetched or the limits are reached, the article ends with a
   * link to this page.
   */
  async addTo(first: FirstPage, userId: string, signal: AbortSignal): Promise<WholeArticle> {
    const { content, url } = first;
    if (content.nextPage === '' || content.isLoginRequired) {
      return { content, further: undefined };
    }
    const reading = new Reading(firstOf(content, url), first);
    const end = AbortSignal.any([signal, AbortSignal.timeout(this.limits.ms)]);
    let step: Step = 'joined';
    while (step === 'joined' && reading.next !== '') {
      step = this.isFull(reading) ? 'failed' : await this.tryNext(reading, userId, end);
    }
    return {
      content: step === 'failed' ? withLink(reading.article) : reading.article.content,
      further: {
        count: reading.requests,
        pause: reading.pause,
        isShown: step === 'failed' || reading.article.before.count > 1,
      },
    };
  }

  private isFull({ article, bytes }: Reading): boolean {
    return article.before.count >= this.limits.pages || bytes >= this.limits.bytes;
  }

  /** Like `addNext`, but an unexpected error only ends the article, because its first page must not be lost. */
  private async tryNext(reading: Reading, userId: string, signal: AbortSignal): Promise<Step> {
    try {
      return await this.addNext(reading, userId, signal);
    } catch (error) {
      this.logger.warn(new Error('A further page of an article failed.', { cause: error }));
      return 'failed';
    }
  }

  private async addNext(reading: Reading, userId: string, signal: AbortSignal): Promise<Step> {
    const page = reading.receive(
      await this.fetcher.fetch(reading.next, { signal, checksPause: true }),
    );
    if (page === undefined) {
      return 'failed';
    }
    const { finalUrl: url } = page.route;
    if (reading.hasSeen(url)) {
      return 'ended';
    }
    const { content, trouble } = await this.parsers.html(
      userId,
      {
        bytes: page.body,
        contentType: page.headers.contentType,
        url,
        readAt: this.clock.now(),
        before: reading.article.before,
      },
      signal,
    );
    return trouble === undefined ? reading.join(content, url) : 'failed';
  }
}

/** The pages of an article that were fetched so far. */
class Reading {
  article: JoinedPages;
  bytes: number;
  requests = 0;
  pause: RequestedPause | undefined;
  private readonly seen: Set<string>;

  constructor(article: JoinedPages, { url, bytes }: FirstPage) {
    this.article = article;
    this.bytes = bytes;
    this.seen = new Set([url]);
  }

  get next(): string {
    return this.article.content.nextPage;
  }

  /** Returns true if the page with this address was read before. Otherwise, records the address. */
  hasSeen(url: string): boolean {
    const isSeen = this.seen.has(url);
    this.seen.add(url);
    return isSeen;
  }

  /** Returns the next page. Returns undefined if it was not fetched, is no HTML, or is too long. */
  receive(outcome: FetchOutcome): FetchedPage | undefined {
    this.requests += 1;
    this.pause = outcome.kind === 'failed' ? pauseOf(outcome) : undefined;
    if (outcome.kind !== 'page') {
      return undefined;
    }
    this.bytes += outcome.body.byteLength;
    return documentKind(outcome.mimeType) === 'html' && !outcome.isTruncated ? outcome : undefined;
  }

  join(page: PageContent, url: string): Step {
    if (page.isLoginRequired) {
      return 'failed';
    }
    if (!continues(this.article, page, url)) {
      return 'ended';
    }
    this.article = joined(this.article, page);
    return 'joined';
  }
}

/** Returns an article that ends with a link to the page on which it continues. */
function withLink({ content, before }: JoinedPages): PageContent {
  const text = english.text('files.continued', { page: String(before.count + 1) });
  const link = `<a href="${escapeUTF8(content.nextPage)}" rel="noopener noreferrer">${escapeUTF8(text)}</a>`;
  return { ...content, articleHtml: `${content.articleHtml}\n<p>${link}</p>` };
}

/**
 * Returns the pause that a host has requested. The host may differ from that of the saved URL, for
 * example if a URL shortener redirects to another host.
 */
export function pauseOf({ route, retryAfterSeconds: seconds }: Failed): RequestedPause | undefined {
  const host = normalAddress(route.finalUrl)?.domain;
  return seconds === undefined || host === undefined ? undefined : { host, seconds };
}
