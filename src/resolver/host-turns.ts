import pLimit, { type LimitFunction } from 'p-limit';

import { PAGES_PER_HOST } from './resolution.statements.js';

/** Hosts are asked for as few pages at once as the queue hands out, wherever redirects lead; in this process. */
export class HostTurns {
  private readonly hosts = new Map<string, LimitFunction>();

  /** Runs the work when the host is free. Rejects when the signal is aborted while others have their turn. */
  run<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const turns = this.hosts.get(host) ?? pLimit(PAGES_PER_HOST);
    this.hosts.set(host, turns);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(new Error('No turn came in time.', { cause: signal.reason }));
      };
      signal.addEventListener('abort', leave, { once: true });
      const turn = async (): Promise<void> => {
        signal.removeEventListener('abort', leave);
        signal.throwIfAborted();
        resolve(await work());
      };
      void turns(turn)
        .catch(reject)
        .finally(() => {
          this.forget(host, turns);
        });
    });
  }

  private forget(host: string, turns: LimitFunction): void {
    // Whoever came in between may stand in a newer line, which stays.
    if (turns.activeCount + turns.pendingCount === 0 && this.hosts.get(host) === turns) {
      this.hosts.delete(host);
    }
  }
}
