import { Injectable } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import { Repository } from 'typeorm';

import { queryRows } from '../../platform/database/query-rows.js';
import type { HostLimits } from '../../platform/fetching/fetch-settings.js';
import { normalAddress } from '../../reading-list/list/address.js';
import type { HostPause } from './entities/host-pause.entity.js';
import type { RequestedPause } from './page-reader.js';
import { PAGES_PER_HOST, PAUSE_HOST, REMAINING_PAUSE } from './resolution.sql.js';

export class HostPauseRepository extends Repository<HostPause> {
  /** Returns the remaining pause of a host in seconds, or 0 for a host without a pause. */
  async remainingSeconds(host: string): Promise<number> {
    const [pause] = await queryRows<{ seconds: number }>(this.manager, REMAINING_PAUSE, [host]);
    return pause?.seconds ?? 0;
  }

  /** Records the pause that a host has requested, unless the host already has a longer pause. */
  async record({ host, seconds }: RequestedPause): Promise<void> {
    await queryRows(this.manager, PAUSE_HOST, [host, seconds]);
  }

  async deleteEnded(): Promise<void> {
    await this.createQueryBuilder().delete().where('until < now()').execute();
  }
}

/** Limits the simultaneous requests to each host. Identifies hosts by the names that the queue of pages uses too. */
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
 * Limits the simultaneous requests of this process to each host, including hosts of redirect targets. The queue of
 * pages limits all processes together, but knows only the hosts of the saved URLs.
 */
export class HostSlots {
  private readonly hosts = new Map<string, LimitFunction>();

  /** Runs `work` when the host has a free slot. Rejects if the signal is aborted while `work` waits for a slot. */
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
    // Deletes the limit of an idle host, unless the map contains a newer limit that is in use.
    if (limit.activeCount + limit.pendingCount === 0 && this.hosts.get(host) === limit) {
      this.hosts.delete(host);
    }
  }
}
