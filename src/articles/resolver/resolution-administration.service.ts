import { Injectable, Logger } from '@nestjs/common';

import { User } from '../../auth/entities/user.entity.js';
import { Database } from '../../platform/database/database.js';
import { PagePriority, requestPages } from '../../reading-list/pages/page-requests.js';
import { type PageCounts, PageRepository } from './page.repository.js';
import { HostPauseRepository } from './page-hosts.js';
import { type ItemsToRequest, PageRequestRepository } from './page-request.repository.js';

/** The number of pages in each state, and the most common errors. */
export interface ResolutionStatus extends PageCounts {
  /** The most common errors of failed pages. */
  readonly failures: readonly { readonly reason: string; readonly pages: number }[];
}

/**
 * `pages` is the maximum number of pages that one purge deletes, and `batch` is the number of pages per DELETE
 * statement.
 */
const PURGE = { pages: 100_000, batch: 500 } as const;

interface RequestedItems {
  /** True if only the items without a fetched page are requested. */
  readonly onlyUnfetched: boolean;
}

/** The operations with which administrators retry, refresh and purge pages. A timer calls the purge daily. */
@Injectable()
export class ResolutionAdministrationService {
  private readonly logger = new Logger('PagePurge');

  constructor(
    private readonly database: Database,
    private readonly pages: PageRepository,
    private readonly requests: PageRequestRepository,
    private readonly pauses: HostPauseRepository,
  ) {}

  async status(): Promise<ResolutionStatus> {
    return { ...(await this.pages.counts()), failures: await this.pages.commonFailures() };
  }

  /** Queues the pages of all items whose page has not been fetched. Returns the number of these items. */
  async retry(): Promise<number> {
    await this.forgetFailures({ makeStale: false });
    return this.requestAll({ onlyUnfetched: true });
  }

  /**
   * Queues the pages of all items, so that they are fetched again. A conditional request avoids the
   * download of an unchanged page. Returns the number of items.
   */
  async refresh(): Promise<number> {
    await this.forgetFailures({ makeStale: true });
    return this.requestAll({ onlyUnfetched: false });
  }

  /**
   * Deletes up to 100,000 pages that no item uses and that were last fetched or retried more than
   * 90 days ago. Returns the number of deleted pages.
   */
  async purge(): Promise<number> {
    const unused = await this.database.transaction((manager) =>
      PageRepository.in(manager).findUnused(PURGE.pages),
    );
    let purged = 0;
    for (let start = 0; start < unused.length; start += PURGE.batch) {
      const batch = unused.slice(start, start + PURGE.batch);
      purged += await this.database.transaction((manager) =>
        PageRepository.in(manager).deleteIdle(batch),
      );
    }
    await this.pauses.deleteEnded();
    if (purged > 0) {
      this.logger.log({ msg: 'pages purged', purged });
    }
    return purged;
  }

  private async forgetFailures({ makeStale }: { readonly makeStale: boolean }): Promise<void> {
    await this.database.transaction(async (manager) => {
      const pages = PageRepository.in(manager);
      await pages.forgetFailures();
      await PageRequestRepository.in(manager).forgetRetries();
      await HostPauseRepository.in(manager).deleteAll();
      if (makeStale) {
        await pages.makeStale();
      }
    });
  }

  /** Queues the pages of items in batches, because the database may contain millions of items. */
  private async requestAll({ onlyUnfetched }: RequestedItems): Promise<number> {
    let count = 0;
    const users = await this.database.manager.find(User, { select: { id: true } });
    for (const { id: userId } of users) {
      for (let itemId: string | undefined = '0'; itemId !== undefined;) {
        const { items, last }: ItemsToRequest = await this.requests.itemsAfter(
          { userId, itemId },
          onlyUnfetched,
        );
        if (items.length > 0) {
          await this.database.transaction((manager) =>
            requestPages(manager, userId, items, { priority: PagePriority.Imported }),
          );
        }
        count += items.length;
        itemId = last;
      }
    }
    return count;
  }
}
