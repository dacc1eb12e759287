import type { Agent } from 'undici';

import type { Clock } from '../common/clock.js';
import { Deadline } from './deadline.js';
import { readDocument } from './document-body.js';
import {
  failureOf,
  isTemporaryStatus,
  NotPublicError,
  ProxyError,
  retryAfterSeconds,
} from './fetch-errors.js';
import type { Failed, FetchedPage, FetchOutcome } from './fetch-outcome.js';
import { type FetchSettings, type HostLimits, UNLIMITED } from './fetch-settings.js';
import { guardedAgent, type Network } from './guarded-agent.js';
import { type HttpResponse, sendRequest, type Validators } from './http-request.js';
import { metaRefresh } from './meta-refresh.js';
import { documentKind } from './mime-type.js';
import { forwardingProxyFor } from './proxy-rules.js';
import { fetchableUrl, RedirectChain } from './redirect-chain.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/**
 * The statuses for which the Retry-After header of a response is used. For other error statuses, the header is ignored.
 */
const PAUSING = new Set([429, 503]);
const FORBIDDEN = 403;
/** The number of bytes that are read of a response with status 403. */
const NOTICE_BYTES = 65_536;

export interface FetchOptions {
  /**
   * The ETag and the Last-Modified date of the previous response. They are sent only with a request for the final URL
   * of the previous fetch.
   */
  readonly previous?: Validators & { readonly finalUrl: string };
  readonly signal?: AbortSignal;
  /**
   * True if the caller has not checked that the host of the URL has requested no pause. The fetch then fails during a
   * pause.
   */
  readonly checksPause?: boolean;
  /**
   * Requests only the status of the page, with this method. No body is read, so the body of a page is empty, and refresh
   * elements do not redirect.
   */
  readonly statusBy?: 'HEAD' | 'GET';
}

/** State that all requests of one fetch share. */
interface FetchContext {
  readonly agent: Agent;
  readonly deadline: Deadline;
  readonly previous: FetchOptions['previous'];
  readonly checksPause: boolean;
  readonly statusBy: FetchOptions['statusBy'];
}

/** A response that redirects to another URL. */
interface Redirection {
  readonly kind: 'redirection';
  readonly target: string | undefined;
  readonly by: number | 'meta-refresh';
  /**
   * The page, if its refresh element redirects. The page is the outcome of the fetch if the
   * redirect target is not a page. Undefined for a redirect by HTTP status.
   */
  readonly page?: FetchedPage;
}

/** Fetches documents only from the public internet, with limits for time and size. */
export class PageFetcher {
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly settings: FetchSettings,
    private readonly network: Network,
    private readonly hosts: HostLimits = UNLIMITED,
  ) {}

  async fetch(
    url: string,
    { previous, signal, checksPause = false, statusBy }: FetchOptions = {},
  ): Promise<FetchOutcome> {
    const start = fetchableUrl(url, undefined, this.settings);
    if (!(start instanceof URL)) {
      return { kind: 'refused', reason: start };
    }
    const agent = await guardedAgent(this.network);
    const deadline = new Deadline(this.settings.deadlineMs, signal);
    try {
      const context = { agent, deadline, previous, checksPause, statusBy };
      return await this.#visit(RedirectChain.from(start), context);
    } finally {
      deadline.stop();
      // The fetch does not wait until its connections are closed, because no later fetch uses them.
      void agent.destroy();
    }
  }

  /**
   * Requests a URL and follows its redirects. Each request ends before the next one waits for its
   * host. Otherwise, two fetches that redirect to each other's hosts could wait for each other.
   */
  async #visit(chain: RedirectChain, context: FetchContext): Promise<FetchOutcome> {
    const outcome = await this.#request(chain, context);
    if (outcome.kind !== 'redirection') {
      return outcome;
    }
    const further = await this.#follow(chain, context, outcome);
    return isConclusive(further) ? further : (outcome.page ?? further);
  }

  async #request(chain: RedirectChain, context: FetchContext): Promise<FetchOutcome | Redirection> {
    const { agent, deadline, previous } = context;
    try {
      return await this.hosts.run(chain.url, deadline.signal, async () => {
        const isChecked = chain.length === 0 && !context.checksPause;
        const pause = isChecked ? 0 : await this.hosts.remainingPause(chain.url);
        if (pause > 0) {
          return { ...failure('rest', chain), isTemporary: true, retryAfterSeconds: pause };
        }
        const response = await sendRequest(chain.url, {
          agent,
          method: context.statusBy,
          signal: deadline.signal,
          userAgent: this.settings.userAgent,
          validators: previous?.finalUrl === chain.url.href ? previous : {},
          proxy: forwardingProxyFor(chain.url, this.network.proxies),
        });
        return this.#receive(response, chain, context);
      });
    } catch (error) {
      if (error instanceof ProxyError) {
        this.network.reportProxyError?.(error);
      }
      return failed(error, chain, deadline);
    }
  }

  async #receive(
    response: HttpResponse,
    chain: RedirectChain,
    { previous, statusBy }: FetchContext,
  ): Promise<FetchOutcome | Redirection> {
    const { status, headers, location } = response;
    const { route } = chain;
    const fetchedAtMs = this.clock.now().getTime();
    if (statusBy !== undefined) {
      response.body.on('error', () => undefined).destroy();
      return withoutBody(response, chain, fetchedAtMs);
    }
    if (isSuccess(status)) {
      const document = await readDocument(response, this.settings);
      return refreshed({ kind: 'page', route, status, headers, fetchedAtMs, ...document });
    }
    const notice = status === FORBIDDEN ? await this.#noticeIn(response) : undefined;
    // Other bodies of responses without a success status are not read, because only their status and headers are used.
    response.body.on('error', () => undefined).destroy();
    if (REDIRECTS.has(status)) {
      return { kind: 'redirection', target: location, by: status };
    }
    return status === 304 && previous?.finalUrl === route.finalUrl
      ? { kind: 'not-modified', route, headers, fetchedAtMs }
      : { ...withoutSuccess(response, chain, fetchedAtMs), notice };
  }

  /** Returns the beginning of an HTML body. Returns undefined for other bodies, and if the body cannot be read. */
  async #noticeIn(response: HttpResponse): Promise<Uint8Array | undefined> {
    const limits = { maxHtmlBytes: NOTICE_BYTES, maxBytes: NOTICE_BYTES };
    try {
      const { mimeType, body } = await readDocument(response, { ...this.settings, ...limits });
      return documentKind(mimeType) === 'html' ? body : undefined;
    } catch {
      return undefined;
    }
  }

  async #follow(
    chain: RedirectChain,
    context: FetchContext,
    { target, by }: Redirection,
  ): Promise<FetchOutcome> {
    const next = fetchableUrl(target ?? '', chain.url, this.settings);
    if (!(next instanceof URL)) {
      return { kind: 'refused', reason: next };
    }
    return chain.length >= this.settings.maxRedirects || chain.includes(next)
      ? failure('redirects', chain)
      : this.#visit(chain.with(next, by), context);
  }
}

/** Limits for fetching images. At most 10 MB of an image are read, and only the beginning of an HTML document. */
export const IMAGE_LIMITS: Partial<FetchSettings> = {
  maxImageBytes: 10_000_000,
  maxHtmlBytes: 65_536,
};

/** Fetches images with a `PageFetcher`, so that the same rules apply as for pages. */
export class ImageFetcher {
  constructor(private readonly fetcher: PageFetcher) {}

  /** Returns the image at the URL. Returns undefined if the URL is not an image or the image is too large. */
  async fetch(url: string): Promise<Uint8Array | undefined> {
    const outcome = await this.fetcher.fetch(url);
    const isImage = outcome.kind === 'page' && documentKind(outcome.mimeType) === 'image';
    return isImage && !outcome.isTruncated ? outcome.body : undefined;
  }
}

/**
 * Returns true if the outcome of a redirect target is the outcome of the whole fetch: a page, or a
 * pause that the target host has requested. Otherwise, a page that redirects by a refresh element
 * is itself the outcome.
 */
const isConclusive = (outcome: FetchOutcome): boolean =>
  outcome.kind === 'page' ||
  outcome.kind === 'not-modified' ||
  (outcome.kind === 'failed' && outcome.reason === 'rest');

function refreshed(page: FetchedPage): FetchedPage | Redirection {
  const target = documentKind(page.mimeType) === 'html' ? metaRefresh(page.body) : undefined;
  return target === undefined ? page : { kind: 'redirection', target, by: 'meta-refresh', page };
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

const NO_DOCUMENT = { mimeType: '', contentLength: undefined, body: new Uint8Array() } as const;

/** Returns the outcome of a request whose body is not read. */
function withoutBody(
  response: HttpResponse,
  chain: RedirectChain,
  fetchedAtMs: number,
): FetchedPage | Failed | Redirection {
  const { status, headers, location } = response;
  if (REDIRECTS.has(status)) {
    return { kind: 'redirection', target: location, by: status };
  }
  const { route } = chain;
  return isSuccess(status)
    ? { kind: 'page', route, status, headers, fetchedAtMs, ...NO_DOCUMENT, isTruncated: false }
    : withoutSuccess(response, chain, fetchedAtMs);
}

const withoutSuccess = (
  { status, retryAfter }: HttpResponse,
  chain: RedirectChain,
  nowMs: number,
): Failed => ({
  ...failure('status', chain),
  isTemporary: isTemporaryStatus(status),
  retryAfterSeconds: PAUSING.has(status) ? retryAfterSeconds(retryAfter, nowMs) : undefined,
  status,
});

function failed(error: unknown, chain: RedirectChain, deadline: Deadline): FetchOutcome {
  if (error instanceof NotPublicError) {
    return { kind: 'refused', reason: 'not-public' };
  }
  if (deadline.end !== undefined) {
    return { ...failure(deadline.end, chain), isTemporary: true };
  }
  const found = failureOf(error);
  if (found === undefined) {
    throw error;
  }
  return { ...failure(found.reason, chain), isTemporary: found.isTemporary };
}

const failure = (reason: Failed['reason'], { route }: RedirectChain): Failed => ({
  kind: 'failed',
  reason,
  isTemporary: false,
  retryAfterSeconds: undefined,
  status: undefined,
  route,
});
