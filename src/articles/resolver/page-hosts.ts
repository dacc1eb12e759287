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
  /** 0 for a host without a pause. */
  async remainingSeconds(host: string): Promise<number> {
    const [pause] = await queryRows<{ seconds: number }>(this.manager, REMAINING_PAUSE, [host]);
    return pause?.seconds ?? 0;
  }

  /** A pause that is already longer stays as it is. */
  async record({ host, seconds }: RequestedPause): Promise<void> {
    await queryRows(this.manager, PAUSE_HOST, [host, seconds]);
  }

  async deleteEnded(): Promise<void> {
    await this.createQueryBuilder().delete().where('until < now()').execute();
  }
}

/** The limits of hosts, under the names that the queue knows them by. */
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

/** Limits the requests of this process to a host, wherever redirects lead, as the queue limits the pages of all. */
export class HostSlots {
  private readonly hosts = new Map<string, LimitFunction>();

  /** Runs the work when the host has a free slot. Rejects when the signal is aborted before. */
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
    // The host may have a newer limit, which stays.
    if (limit.activeCount + limit.pendingCount === 0 && this.hosts.get(host) === limit) {
      this.hosts.delete(host);
    }
  }
}
