import { Injectable, Logger } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import { Tally } from '../../platform/metrics/tally.js';
import { HostPauseRepository } from '../resolver/page-hosts.js';
import { Connectivity } from './connectivity.js';
import { type LinkCheck, LinkCheckRepository } from './link-check.repository.js';
import { LinkProber, type Probe, type ProbeResult } from './link-prober.js';

/** The results of checks in the metrics. `missing` pages become `gone` if another check does not find them either. */
const RESULTS = ['found', 'missing', 'gone', 'unknown'] as const;
type Result = (typeof RESULTS)[number];

const DAY_SECONDS = 86_400;
const ROUND_SECONDS = 30 * DAY_SECONDS;
/** The time until the next check of a page that was checked while this service may have been offline. */
const OFFLINE_SECONDS = 3600;

const ANSWERED: ReadonlySet<ProbeResult> = new Set(['found', 'missing', 'unclear']);
/** The results that show whether this service is online. A refused page may need no network at all. */
const SHOWS_NETWORK: ReadonlySet<ProbeResult> = new Set([
  ...ANSWERED,
  ...(['nameless', 'unreachable'] as const),
]);

/** Checks whether the pages at saved addresses still exist (docs/decisions/0138). */
@Injectable()
export class LinkChecker {
  private readonly logger = new Logger(LinkChecker.name);
  private readonly connectivity = new Connectivity();
  private readonly checked = new Tally<Result>(RESULTS);

  constructor(
    private readonly database: Database,
    private readonly checks: LinkCheckRepository,
    private readonly prober: LinkProber,
    private readonly pauses: HostPauseRepository,
  ) {}

  /**
   * Checks the pages that are due, at most one per host, and returns their number. Aborted checks have no result, and
   * are due again.
   */
  async checkNext(signal: AbortSignal): Promise<number> {
    await this.checks.plan();
    const claimed = await this.database.transaction((manager) =>
      LinkCheckRepository.in(manager).claim(),
    );
    const probed = await Promise.all(
      claimed.map(async (check) => ({ check, probe: await this.probe(check, signal) })),
    );
    if (signal.aborted) {
      await Promise.all(claimed.map(({ lease }) => this.checks.release(lease)));
      return 0;
    }
    const results = probed.map(({ probe }) => probe.result).filter((one) => SHOWS_NETWORK.has(one));
    this.connectivity.note(results.map((result) => ANSWERED.has(result)));
    for (const { check, probe } of probed) {
      await this.record(check, probe);
    }
    return probed.length;
  }

  @Metric({
    name: 'satchel_link_checks_total',
    help: 'Ended checks of whether a saved page still exists, by result.',
    kind: 'counter',
    labels: ['result'],
  })
  results(): readonly Sample[] {
    return this.checked.samples('result');
  }

  /** An internal error must not end the checks of other pages, so it counts as a refused page. */
  private async probe({ pageId, url }: LinkCheck, signal: AbortSignal): Promise<Probe> {
    try {
      return await this.prober.probe(url, signal);
    } catch (error) {
      this.logger.error(new Error(`page ${pageId} cannot be checked`, { cause: error }));
      return { result: 'refused', pause: undefined };
    }
  }

  private async record(check: LinkCheck, { result, pause }: Probe): Promise<void> {
    if (pause !== undefined) {
      await this.pauses.record({ ...pause, seconds: Math.min(pause.seconds, DAY_SECONDS) });
    }
    const { isOnline } = this.connectivity;
    if (result === 'found') {
      await this.count('found', this.checks.recordFound(check));
    } else if (result === 'missing' || (result === 'nameless' && isOnline)) {
      await this.count('missing', this.checks.recordMissing(check));
    } else {
      const seconds = isOnline ? ROUND_SECONDS : OFFLINE_SECONDS;
      await this.count('unknown', this.checks.recordUnknown(check, seconds));
    }
  }

  /** Counts a result, unless another worker holds the lease of the page now. */
  private async count(
    result: Exclude<Result, 'gone'>,
    recording: Promise<{ readonly isGone: boolean } | undefined>,
  ): Promise<void> {
    const recorded = await recording;
    if (recorded !== undefined) {
      this.checked.add(result === 'missing' && recorded.isGone ? 'gone' : result);
    }
  }
}
