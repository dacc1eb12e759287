import { type Agent } from 'undici';

import { Deadline } from './deadline.js';
import { dnsLookup } from './dns-lookup.js';
import { documentKind } from './document-kind.js';
import { readDocument } from './document-reader.js';
import { failureOf, isTemporaryStatus } from './failure.js';
import { NotPublicError } from './fetch.errors.js';
import { type Failed, type FetchedPage, type FetchOutcome } from './fetch-outcome.js';
import { DEFAULT_FETCH_SETTINGS, type FetchSettings } from './fetch-settings.js';
import { guardedAgent, type Network } from './guarded-agent.js';
import { hopAddress } from './hop-address.js';
import { type Answer, ask, type Validators } from './http-exchange.js';
import { Journey } from './journey.js';
import { metaRefresh } from './meta-refresh.js';
import { isPublicAddress } from './public-address.js';
import { retryAfterSeconds } from './retry-after.js';

/** The public internet, and nothing else. */
export const INTERNET: Network = { lookup: dnsLookup(), allow: isPublicAddress };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Statuses that speak of the host; a Retry-After with another one speaks of its page. */
const PAUSING = new Set([429, 503]);

export interface FetchOptions {
  /** What is known of the document; asked about where it was found, and nowhere else. */
  readonly previous?: Validators & { readonly finalUrl: string };
  readonly signal?: AbortSignal;
}

/** The service's Clock is one. */
export interface Watch {
  now(): Date;
}

/** The means of one fetch. */
interface Means {
  readonly agent: Agent;
  readonly deadline: Deadline;
  readonly previous: FetchOptions['previous'];
}

/** Brings documents from the public internet, and from nowhere else, within limits of time and size. */
export class PageFetcher {
  readonly #settings: FetchSettings;

  constructor(
    private readonly watch: Watch,
    settings: Partial<FetchSettings> = {},
    private readonly network: Network = INTERNET,
  ) {
    this.#settings = { ...DEFAULT_FETCH_SETTINGS, ...settings };
  }

  async fetch(url: string, { previous, signal }: FetchOptions = {}): Promise<FetchOutcome> {
    const start = hopAddress(url, undefined, this.#settings);
    if (!(start instanceof URL)) {
      return { kind: 'refused', reason: start };
    }
    const agent = guardedAgent(this.network);
    const deadline = new Deadline(this.#settings.deadlineMs, signal);
    try {
      return await this.#visit(Journey.from(start), { agent, deadline, previous });
    } finally {
      deadline.stop();
      // Nothing is kept: neither connections nor what they carry. Their ends are nobody's concern.
      void agent.destroy();
    }
  }

  async #visit(journey: Journey, means: Means): Promise<FetchOutcome> {
    try {
      return await this.#receive(await this.#ask(journey, means), journey, means);
    } catch (error) {
      return failed(error, journey, means.deadline);
    }
  }

  #ask({ url }: Journey, { agent, deadline, previous }: Means): Promise<Answer> {
    const validators = previous?.finalUrl === url.href ? previous : {};
    return ask(url, {
      agent,
      signal: deadline.signal,
      userAgent: this.#settings.userAgent,
      validators,
    });
  }

  async #receive(answer: Answer, journey: Journey, means: Means): Promise<FetchOutcome> {
    const { status, headers } = answer;
    if (status < 200 || status > 299) {
      return this.#withoutDocument(answer, journey, means);
    }
    const fetchedAtMs = this.#nowMs();
    const document = await readDocument(answer, this.#settings);
    const page = { kind: 'page', route: journey.route, status, headers, fetchedAtMs } as const;
    return this.#refreshed({ ...page, ...document }, journey, means);
  }

  /** The bodies of such answers speak of the answer: nobody saved them, so nobody reads them. */
  async #withoutDocument(answer: Answer, journey: Journey, means: Means): Promise<FetchOutcome> {
    const { status, headers, location } = answer;
    const { route } = journey;
    answer.body.on('error', () => undefined).destroy();
    if (REDIRECTS.has(status)) {
      return this.#follow(journey, means, location, status);
    }
    if (status === 304 && means.previous?.finalUrl === route.finalUrl) {
      return { kind: 'not-modified', route, headers, fetchedAtMs: this.#nowMs() };
    }
    return withoutSuccess(answer, journey, this.#nowMs());
  }

  #nowMs(): number {
    return this.watch.now().getTime();
  }

  async #follow(
    journey: Journey,
    means: Means,
    target: string | undefined,
    by: number | 'meta-refresh',
  ): Promise<FetchOutcome> {
    const next = hopAddress(target ?? '', journey.url, this.#settings);
    if (!(next instanceof URL)) {
      return { kind: 'refused', reason: next };
    }
    if (journey.length >= this.#settings.maxRedirects || journey.hasPassed(next)) {
      return failure('redirects', journey);
    }
    return this.#visit(journey.to(next, by), means);
  }

  /** The page a page of HTML sends its reader on to, or the page itself when that one cannot be had. */
  async #refreshed(page: FetchedPage, journey: Journey, means: Means): Promise<FetchOutcome> {
    const target = documentKind(page.mimeType) === 'html' ? metaRefresh(page.body) : undefined;
    if (target === undefined) {
      return page;
    }
    const further = await this.#follow(journey, means, target, 'meta-refresh');
    return further.kind === 'page' || further.kind === 'not-modified' ? further : page;
  }
}

function withoutSuccess({ status, retryAfter }: Answer, journey: Journey, nowMs: number): Failed {
  return {
    ...failure('status', journey),
    isTemporary: isTemporaryStatus(status),
    retryAfterSeconds: PAUSING.has(status) ? retryAfterSeconds(retryAfter, nowMs) : undefined,
    status,
  };
}

function failed(error: unknown, journey: Journey, deadline: Deadline): FetchOutcome {
  if (error instanceof NotPublicError) {
    return { kind: 'refused', reason: 'not-public' };
  }
  if (deadline.end !== undefined) {
    return { ...failure(deadline.end, journey), isTemporary: true };
  }
  const found = failureOf(error);
  if (found === undefined) {
    throw error;
  }
  return { ...failure(found.reason, journey), isTemporary: found.isTemporary };
}

const failure = (reason: Failed['reason'], { route }: Journey): Failed => ({
  kind: 'failed',
  reason,
  isTemporary: false,
  retryAfterSeconds: undefined,
  status: undefined,
  route,
});
