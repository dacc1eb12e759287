import type { Agent } from 'undici';

import type { Clock } from '../common/clock.js';
import { readDocument } from './document-body.js';
import {
  failureOf,
  isTemporaryStatus,
  NotPublicError,
  ProxyError,
  retryAfterSeconds,
} from './fetch-errors.js';
import type { Failed, FetchedPage, FetchOutcome } from './fetch-outcome.js';
import {
  DEFAULT_FETCH_SETTINGS,
  type FetchSettings,
  type HostLimits,
  UNLIMITED,
} from './fetch-settings.js';
import { dnsLookup, guardedAgent, type Network } from './guarded-agent.js';
import { type HttpResponse, sendRequest, type Validators } from './http-request.js';
import { metaRefresh } from './meta-refresh.js';
import { documentKind } from './mime-type.js';
import { forwardingProxyFor } from './proxy-rules.js';
import { isPublicAddress } from './public-address.js';
import { fetchableUrl, RedirectChain } from './redirect-chain.js';

/** The public internet, without private networks. */
export const INTERNET: Network = { lookup: dnsLookup(), allow: isPublicAddress };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/**
 * The statuses with which Retry-After applies to the whole host. With other statuses, Retry-After applies only to the
 * page.
 */
const PAUSING = new Set([429, 503]);

export interface FetchOptions {
  /** The validators of the document. The fetcher sends the validators only to the URL whose response contained them. */
  readonly previous?: Validators & { readonly finalUrl: string };
  readonly signal?: AbortSignal;
}

/** State that all requests of one fetch share. */
interface FetchContext {
  readonly agent: Agent;
  readonly deadline: Deadline;
  readonly previous: FetchOptions['previous'];
}

/** A response that redirects to another URL. */
interface Redirection {
  readonly kind: 'redirection';
  readonly target: string | undefined;
  readonly by: number | 'meta-refresh';
  /** The page that redirects. Used as the outcome if the fetch of the target returns no page. */
  readonly page?: FetchedPage;
}

/** Fetches documents only from the public internet, with limits for time and size. */
export class PageFetcher {
  readonly #settings: FetchSettings;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    settings: Partial<FetchSettings> = {},
    private readonly network: Network = INTERNET,
    private readonly hosts: HostLimits = UNLIMITED,
  ) {
    this.#settings = { ...DEFAULT_FETCH_SETTINGS, ...settings };
  }

  async fetch(url: string, { previous, signal }: FetchOptions = {}): Promise<FetchOutcome> {
    const start = fetchableUrl(url, undefined, this.#settings);
    if (!(start instanceof URL)) {
      return { kind: 'refused', reason: start };
    }
    const agent = await guardedAgent(this.network);
    const deadline = new Deadline(this.#settings.deadlineMs, signal);
    try {
      return await this.#visit(RedirectChain.from(start), { agent, deadline, previous });
    } finally {
      deadline.stop();
      // Nothing waits for the end of the connections, because they are not reused.
      void agent.destroy();
    }
  }

  /**
   * Requests a URL and follows its redirects. Releases the slot of a host before waiting for a slot of the next host,
   * so that two fetches cannot wait for each other.
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
        // The host of the first URL had no pause when the fetch began.
        const pause = chain.length === 0 ? 0 : await this.hosts.remainingPause(chain.url);
        if (pause > 0) {
          return { ...failure('rest', chain), isTemporary: true, retryAfterSeconds: pause };
        }
        const response = await sendRequest(chain.url, {
          agent,
          signal: deadline.signal,
          userAgent: this.#settings.userAgent,
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
    { previous }: FetchContext,
  ): Promise<FetchOutcome | Redirection> {
    const { status, headers, location } = response;
    const { route } = chain;
    const fetchedAtMs = this.clock.now().getTime();
    if (status >= 200 && status <= 299) {
      const document = await readDocument(response, this.#settings);
      return refreshed({ kind: 'page', route, status, headers, fetchedAtMs, ...document });
    }
    // The body is not read, because it only explains the error status.
    response.body.on('error', () => undefined).destroy();
    if (REDIRECTS.has(status)) {
      return { kind: 'redirection', target: location, by: status };
    }
    return status === 304 && previous?.finalUrl === route.finalUrl
      ? { kind: 'not-modified', route, headers, fetchedAtMs }
      : withoutSuccess(response, chain, fetchedAtMs);
  }

  async #follow(
    chain: RedirectChain,
    context: FetchContext,
    { target, by }: Redirection,
  ): Promise<FetchOutcome> {
    const next = fetchableUrl(target ?? '', chain.url, this.#settings);
    if (!(next instanceof URL)) {
      return { kind: 'refused', reason: next };
    }
    return chain.length >= this.#settings.maxRedirects || chain.includes(next)
      ? failure('redirects', chain)
      : this.#visit(chain.with(next, by), context);
  }
}

/** Limits for images. An image is read completely, but only the first bytes of an HTML document are read. */
export const IMAGE_LIMITS: Partial<FetchSettings> = {
  maxImageBytes: 10_000_000,
  maxHtmlBytes: 65_536,
};

/** Fetches images under the same rules as pages. */
export class ImageFetcher {
  constructor(private readonly fetcher: PageFetcher) {}

  /** Returns the image, or undefined if the URL has no image or the image is too large. */
  async fetch(url: string): Promise<Uint8Array | undefined> {
    const outcome = await this.fetcher.fetch(url);
    const isImage = outcome.kind === 'page' && documentKind(outcome.mimeType) === 'image';
    return isImage && !outcome.isTruncated ? outcome.body : undefined;
  }
}

/** Aborts a fetch at the time limit, or when the caller cancels the fetch. Stores the reason. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #cancel = (): void => {
    this.#controller.abort();
  };
  #isOver = false;

  constructor(ms: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#controller.abort();
    }, ms);
    caller?.addEventListener('abort', this.#cancel, { once: true });
    if (caller?.aborted === true) {
      this.#cancel();
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The reason for the abort. Undefined if the fetch is not aborted. */
  get end(): 'timeout' | 'cancelled' | undefined {
    if (this.#isOver) {
      return 'timeout';
    }
    return this.signal.aborted ? 'cancelled' : undefined;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
  }
}

/**
 * Returns true if the redirect target has a page, or if the host of the target requested a pause. The page that
 * redirects is then not used.
 */
const isConclusive = (outcome: FetchOutcome): boolean =>
  outcome.kind === 'page' ||
  outcome.kind === 'not-modified' ||
  (outcome.kind === 'failed' && outcome.reason === 'rest');

function refreshed(page: FetchedPage): FetchedPage | Redirection {
  const target = documentKind(page.mimeType) === 'html' ? metaRefresh(page.body) : undefined;
  return target === undefined ? page : { kind: 'redirection', target, by: 'meta-refresh', page };
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
