import { Injectable, Logger } from '@nestjs/common';

import { compressedText } from '../../lib/util/compressed-text.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import { Tally } from '../../platform/metrics/tally.js';
import { countFurtherPages } from '../../reading-list/pages/page-requests.js';
import { PageRepository } from './page.repository.js';
import { HostPauseRepository } from './page-hosts.js';
import type { AttemptOutcome, FailedAttempt, PageClaim, ParsedPage } from './page-reader.js';
import { PageRequestRepository } from './page-request.repository.js';
import { FIRST_PAUSE_SECONDS, GIVEN_UP_SECONDS, PAUSE_FACTOR } from './resolution.sql.js';

/** The number of failed attempts after which the service gives up fetching a page. */
export const MAX_ATTEMPTS = 5;
const MAX_PAUSE_SECONDS = 86_400;

/**
 * The results of attempts to fetch a page, named like their counts in the log. `read`: the page was fetched and parsed.
 * `unchanged`: the stored page is still current. `postponed`: the attempt failed and will be repeated. `givenUp`: the
 * attempt failed and will not be repeated.
 */
type Completion = 'read' | 'unchanged' | 'postponed' | 'givenUp';

/** The names of the results in the metrics. */
const RESULTS = {
  read: 'fetched',
  unchanged: 'unchanged',
  postponed: 'postponed',
  givenUp: 'given-up',
} as const satisfies Record<Completion, string>;

/** Stores the outcome of an attempt to fetch a page. This instance must hold the lease of the page. */
@Injectable()
export class PageCompletion {
  private readonly logger = new Logger(PageCompletion.name);
  private counts = noCounts();
  private readonly completed = new Tally(Object.values(RESULTS));

  constructor(
    private readonly database: Database,
    private readonly requests: PageRequestRepository,
    private readonly pauses: HostPauseRepository,
    private readonly config: Config,
  ) {}

  /**
   * Stores the outcome of an attempt to fetch a page. Returns false and changes nothing if another worker holds the
   * lease of the page now.
   */
  async complete(claim: PageClaim, outcome: AttemptOutcome): Promise<boolean> {
    switch (outcome.kind) {
      case 'parsed': {
        await this.countFurther(claim, outcome);
        const article =
          outcome.article === undefined ? null : await compressedText(outcome.article);
        return this.write('read', (pages) => pages.recordFetched(claim, outcome, article));
      }
      case 'unchanged':
        return claim.isFresh
          ? this.write(undefined, (pages) => pages.recordFresh(claim))
          : this.write('unchanged', (pages) => pages.recordUnchanged(claim));
      case 'failed':
        return this.postponeOrGiveUp(claim, outcome);
    }
  }

  /**
   * Logs the number of pages that this instance has completed since the last call, for each
   * outcome. Also logs the total number of queued requests.
   */
  async logCounts(): Promise<void> {
    const { counts } = this;
    if (Object.values(counts).some((count) => count > 0)) {
      this.counts = noCounts();
      this.logger.log({ ...counts, waiting: await this.requests.countWaiting(), msg: 'pages' });
    }
  }

  @Metric({
    name: 'satchel_page_attempts_total',
    help: 'Ended attempts to fetch a page, by result.',
    kind: 'counter',
    labels: ['result'],
  })
  attempts(): readonly Sample[] {
    return this.completed.samples('result');
  }

  /** Adds the further pages of an article to the quota of the user, and records the pause that their host requested. */
  private async countFurther(
    { userId, priority }: PageClaim,
    { further }: Pick<ParsedPage, 'further'>,
  ): Promise<void> {
    const { count = 0, pause } = further ?? {};
    const perHour = this.config.resolverPagesPerHour;
    if (pause !== undefined) {
      await this.pauses.record({ ...pause, seconds: Math.min(pause.seconds, MAX_PAUSE_SECONDS) });
    }
    if (count > 0 && perHour > 0) {
      await countFurtherPages(this.database.manager, { userId, priority, perHour }, count);
    }
  }

  private async postponeOrGiveUp(claim: PageClaim, outcome: FailedAttempt): Promise<boolean> {
    const { reason, isTemporary, pause = { host: '', seconds: 0 } } = outcome;
    const pauseSeconds = Math.min(pause.seconds, MAX_PAUSE_SECONDS);
    if (outcome.pause !== undefined) {
      await this.pauses.record({ host: pause.host, seconds: pauseSeconds });
    }
    const isOver = !isTemporary || claim.attempts >= MAX_ATTEMPTS;
    this.logger.debug(
      `page ${claim.pageId}: ${reason} (attempt ${claim.attempts}${isOver ? ', given up' : ''})`,
    );
    const seconds = Math.max(pauseBefore(claim.attempts), pauseSeconds);
    return isOver
      ? this.write('givenUp', (pages) => pages.giveUp(claim, outcome, GIVEN_UP_SECONDS))
      : this.write('postponed', (pages) => pages.postpone(claim, outcome, seconds));
  }

  /**
   * Stores the outcome of an attempt to fetch a page. `Database.transaction` repeats the
   * transaction after a deadlock, which a concurrent deletion of items can cause.
   */
  private async write(
    completion: Completion | undefined,
    work: (pages: PageRepository) => Promise<boolean>,
  ): Promise<boolean> {
    const isWritten = await this.database.transaction((manager) =>
      work(PageRepository.in(manager)),
    );
    if (isWritten && completion !== undefined) {
      this.counts[completion] += 1;
      this.completed.add(RESULTS[completion]);
    }
    return isWritten;
  }
}

const noCounts = (): Record<Completion, number> => ({
  read: 0,
  unchanged: 0,
  postponed: 0,
  givenUp: 0,
});

const pauseBefore = (attempts: number): number =>
  FIRST_PAUSE_SECONDS * PAUSE_FACTOR ** (attempts - 1);
