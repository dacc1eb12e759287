import { Injectable } from '@nestjs/common';

import type { Failed, FetchOutcome } from '../../platform/fetching/fetch-outcome.js';
import { PageFetcher } from '../../platform/fetching/page-fetcher.js';
import { pauseOf } from '../resolver/further-pages.js';
import type { RequestedPause } from '../resolver/page-reader.js';

/**
 * The result of one check. `found`: the server returned the page. `missing`: the server has no such page. `nameless`: DNS
 * does not know the host. `unreachable`: no server answered. `unclear`: the server answered, but not whether the page
 * exists. `refused`: the page, or the target of a redirect, must not be requested, so maybe no server was asked.
 */
export type ProbeResult = 'found' | 'missing' | 'nameless' | 'unreachable' | 'unclear' | 'refused';

export interface Probe {
  readonly result: ProbeResult;
  /** The pause that the host has requested. */
  readonly pause: RequestedPause | undefined;
}

const MISSING = new Set([404, 410]);
/**
 * The statuses after which a GET request follows the HEAD request. Some servers reject HEAD requests, or return another
 * status for them, so a page counts as missing only after a GET request.
 */
const CONFIRMED_BY_GET = new Set([403, 405, 501, ...MISSING]);

/** Finds out whether a page still exists, without reading the page. */
@Injectable()
export class LinkProber {
  constructor(private readonly fetcher: PageFetcher) {}

  /** Requests the page as any visitor would. The addresses of stored pages contain no user names and passwords. */
  async probe(url: string, signal: AbortSignal): Promise<Probe> {
    const head = await this.fetcher.fetch(url, { signal, statusBy: 'HEAD' });
    const needsGet = head.kind === 'failed' && CONFIRMED_BY_GET.has(head.status ?? 0);
    return probeOf(needsGet ? await this.fetcher.fetch(url, { signal, statusBy: 'GET' }) : head);
  }
}

function probeOf(outcome: FetchOutcome): Probe {
  switch (outcome.kind) {
    case 'page':
    case 'not-modified':
      return { result: 'found', pause: undefined };
    case 'refused':
      return { result: 'refused', pause: undefined };
    case 'failed':
      return { result: resultOf(outcome), pause: pauseOf(outcome) };
  }
}

function resultOf({ reason, status, isTemporary }: Failed): ProbeResult {
  if (status !== undefined) {
    return MISSING.has(status) ? 'missing' : 'unclear';
  }
  if (reason === 'redirects' || reason === 'rest') {
    return 'unclear';
  }
  return reason === 'name' && !isTemporary ? 'nameless' : 'unreachable';
}
