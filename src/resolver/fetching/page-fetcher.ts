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
import { type HostManners, UNBOUNDED } from './host-manners.js';
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

/** The address that an answer sends its reader on to. */
interface Onward {
  readonly kind: 'onward';
  readonly target: string | undefined;
  readonly by: number | 'meta-refresh';
  /** Taken instead when there is none behind the address. */
  readonly page?: FetchedPage;
}

/** Brings documents from the public internet, and from nowhere else, within limits of time and size. */
export class PageFetcher {
  readonly #settings: FetchSettings;

  constructor(
    private readonly watch: Watch,
    settings: Partial<FetchSettings> = {},
    private readonly network: Network = INTERNET,
    private readonly hosts: HostManners = UNBOUNDED,
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

  /** The turn at one host has ended before that at the next begins: nobody keeps one while waiting for another. */
  async #visit(journey: Journey, means: Means): Promise<FetchOutcome> {
    const step = await this.#step(journey, means);
    if (step.kind !== 'onward') {
      return step;
    }
    const further = await this.#follow(journey, means, step);
    return isThere(further) ? further : (step.page ?? further);
  }

  async #step(journey: Journey, means: Means): Promise<FetchOutcome | Onward> {
    const { signal } = means.deadline;
    try {
      return await this.hosts.inTurn(journey.url, signal, async () => {
        // Whoever is asked first was free when the fetch began.
        const rest = journey.length === 0 ? 0 : await this.hosts.restOf(journey.url);
        return rest > 0
          ? { ...failure('rest', journey), isTemporary: true, retryAfterSeconds: rest }
          : this.#receive(await this.#ask(journey, means), journey, means);
      });
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

  async #receive(answer: Answer, journey: Journey, means: Means): Promise<FetchOutcome | Onward> {
    const { status, headers } = answer;
    if (status < 200 || status > 299) {
      return this.#withoutDocument(answer, journey, means);
    }
    const fetchedAtMs = this.#nowMs();
    const document = await readDocument(answer, this.#settings);
    const page = { kind: 'page', route: journey.route, status, headers, fetchedAtMs } as const;
    return refreshed({ ...page, ...document });
  }

  /** The bodies of such answers speak of the answer: nobody saved them, so nobody reads them. */
  #withoutDocument(answer: Answer, journey: Journey, means: Means): FetchOutcome | Onward {
    const { status, headers, location } = answer;
    const { route } = journey;
    answer.body.on('error', () => undefined).destroy();
    if (REDIRECTS.has(status)) {
      return { kind: 'onward', target: location, by: status };
    }
    if (status === 304 && means.previous?.finalUrl === route.finalUrl) {
      return { kind: 'not-modified', route, headers, fetchedAtMs: this.#nowMs() };
    }
    return withoutSuccess(answer, journey, this.#nowMs());
  }

  #nowMs(): number {
    return this.watch.now().getTime();
  }

  async #follow(journey: Journey, means: Means, { target, by }: Onward): Promise<FetchOutcome> {
    const next = hopAddress(target ?? '', journey.url, this.#settings);
    if (!(next instanceof URL)) {
      return { kind: 'refused', reason: next };
    }
    if (journey.length >= this.#settings.maxRedirects || journey.hasPassed(next)) {
      return failure('redirects', journey);
    }
    return this.#visit(journey.to(next, by), means);
  }
}

/** A page behind an address, or one that its host only wants to be asked for later. */
const isThere = (found: FetchOutcome): boolean =>
  found.kind === 'page' ||
  found.kind === 'not-modified' ||
  (found.kind === 'failed' && found.reason === 'rest');

/** A page of HTML may send its reader on. */
function refreshed(page: FetchedPage): FetchedPage | Onward {
  const target = documentKind(page.mimeType) === 'html' ? metaRefresh(page.body) : undefined;
  return target === undefined ? page : { kind: 'onward', target, by: 'meta-refresh', page };
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
