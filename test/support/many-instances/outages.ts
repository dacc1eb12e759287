import { normalAddress } from '../../../src/reading-list/list/address.js';
import { PersistentClient } from './persistent-client.js';
import type { Person } from './person.js';

/** Writes directly to one instance, bypassing the proxy, and records the time of each acknowledgement. */
export class Probe {
  /** URLs whose save was acknowledged. */
  readonly acknowledged: string[] = [];
  private readonly times = [Date.now()];
  private readonly client: PersistentClient;

  constructor(
    private readonly person: Person,
    private readonly name: string,
    url: string,
  ) {
    this.client = new PersistentClient(url, name);
  }

  run(): Promise<void> {
    let writes = 0;
    return this.person.keeps(
      async () => {
        writes += 1;
        const url = `https://probe.example/${this.name}/${writes}`;
        const actions = [{ action: 'add', url }];
        const members = { ...this.person.credentials, actions };
        const { status, body } = await this.client.post('/v3/send', members);
        if (status !== 200) {
          throw new Error(`a write was answered with ${status} ${body.toString()}`);
        }
        this.acknowledged.push(url);
        this.times.push(Date.now());
      },
      () => 150,
    );
  }

  /** Returns the longest time without an acknowledged write since `begin`, in milliseconds. */
  outageSince(begin: number): number {
    const after = [...this.times, Date.now()];
    return Math.max(
      ...after.slice(1).map((time, at) => (time < begin ? 0 : time - Math.max(begin, after[at]!))),
    );
  }

  hasWrittenSince(time: number): boolean {
    return (this.times.at(-1) ?? 0) > time;
  }

  get ids(): string[] {
    return this.acknowledged.map((url) => normalAddress(url)!.itemId);
  }
}
