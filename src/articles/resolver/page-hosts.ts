import { Injectable } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import type { HostLimits } from '../../platform/fetching/fetch-settings.js';
import { normalAddress } from '../../reading-list/list/address.js';
import { HostPause } from './entities/host-pause.entity.js';
import type { RequestedPause } from './page-reader.js';
import { PAGES_PER_HOST, PAUSE_HOST, REMAINING_PAUSE } from './resolution.sql.js';

export class HostPauseRepository extends CustomRepository<HostPause> {
  static readonly entity = HostPause;

  /**
   * Returns the number of seconds until Satchel may send requests to a host again. Returns 0 if the
   * host has not requested a pause.
   */
  async remainingSeconds(host: string): Promise<number> {
    const [pause] = await queryRows<{ seconds: number }>(this.manager, REMAINING_PAUSE, [host]);
    return pause?.seconds ?? 0;
  }

  /**
   * Records a pause that a host has requested. An already recorded pause is kept if it is longer.
   */
  async record({ host, seconds }: RequestedPause): Promise<void> {
    await queryRows(this.manager, PAUSE_HOST, [host, seconds]);
  }

  async deleteEnded(): Promise<void> {
    await this.createQueryBuilder().delete().where('until < now()').execute();
  }
}

/**
 * Limits the number of simultaneous requests to each host. Host names are normalized as in the page
 * queue.
 */
@Injectable()
export class PageHosts implements HostLimits {
  private readonly slots = new HostSlots();

  constructor(private readonly pauses: HostPauseRepository) {}

  run<T>(url: URL, signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    return this.slots.run(hostOf(url), signal, request);
  }

  remainingPause(url: URL): Promise<number> {
    return this.pauses.remainingSeconds(hostOf(url));
  }
}

const hostOf = (url: URL): string => normalAddress(url.href)?.domain ?? url.hostname;

/**
 * Limits the simultaneous requests of this process to each host. The page queue has such a limit
 * for all processes together, but it cannot know the hosts that pages redirect to.
 */
export class HostSlots {
  private readonly hosts = new Map<string, LimitFunction>();

  /**
   * Calls `work` as soon as the host has a free slot. Rejects if the signal is aborted before the host has a free slot.
   */
  run<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const limit = this.hosts.get(host) ?? pLimit(PAGES_PER_HOST);
    this.hosts.set(host, limit);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(new Error('No slot became free in time.', { cause: signal.reason }));
      };
      signal.addEventListener('abort', leave, { once: true });
      const slot = async (): Promise<void> => {
        signal.removeEventListener('abort', leave);
        signal.throwIfAborted();
        resolve(await work());
      };
      void limit(slot)
        .catch(reject)
        .finally(() => {
          this.forget(host, limit);
        });
    });
  }

  private forget(host: string, limit: LimitFunction): void {
    // Deletes the limiter if it is idle and has not been replaced by a newer one.
    if (limit.activeCount + limit.pendingCount === 0 && this.hosts.get(host) === limit) {
      this.hosts.delete(host);
    }
  }
}
