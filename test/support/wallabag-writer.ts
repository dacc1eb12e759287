import type { Response } from 'supertest';

import type { Entry, WallabagCalls } from './wallabag-calls.js';

type Roll = (sides: number) => number;

const SHARED = Array.from({ length: 12 }, (_, n) => `https://shared.example/${n}`);
const TAGS = ['red', 'green', 'blue', 'red,green'];
/** An entry may have been deleted by another client. */
const EXPECTED = new Set([200, 404]);

/** A wallabag client that changes the same items as other clients: the addresses and tags of `aSharedAction`. */
export class WallabagWriter {
  constructor(
    private readonly calls: WallabagCalls,
    private readonly roll: Roll,
  ) {}

  /** Makes a random change. Returns the number of the saved entry, if it saved one. */
  async change(): Promise<number | undefined> {
    const tags = this.oneOf(TAGS);
    const entry = await this.anEntry();
    if (entry === undefined || this.roll(4) === 0) {
      const { body } = await this.send('post', 'entries', { url: this.oneOf(SHARED), tags });
      return (body as Entry).id;
    }
    const { id } = entry;
    const changes = [
      () => this.send('patch', `entries/${id}`, { archive: this.roll(2) }),
      () => this.send('patch', `entries/${id}`, { starred: this.roll(2) }),
      () => this.send('patch', `entries/${id}`, { tags, title: `Title ${this.roll(9)}` }),
      () => this.send('post', `entries/${id}/tags`, { tags }),
      () => this.send('delete', `entries/${id}/tags/${entry.tags[0]?.id ?? 1}`),
      () => this.send('delete', 'tag/label', { tag: 'blue' }),
      () => this.send('delete', `entries/${id}`, { expect: 'id' }),
      () => this.annotate(id),
    ];
    await this.oneOf(changes)();
    return undefined;
  }

  /** Creates a note, then changes or deletes it. Meanwhile, others may delete its entry. */
  private async annotate(id: number): Promise<void> {
    const made = await this.send('post', `annotations/${id}`, { quote: 'Words', text: 'One' });
    if (made.status === 200) {
      const { id: number } = made.body as { id: number };
      const path = `annotations/${number}`;
      await (this.roll(3) > 0 && this.send('put', path, { text: `Note ${this.roll(9)}` }));
      await (this.roll(3) === 0 && this.send('delete', path));
    }
  }

  /** Fetches one of the entries that all writers share. */
  private async anEntry(): Promise<Entry | undefined> {
    const asked = { url: this.oneOf(SHARED), return_id: 1 };
    const { body } = await this.calls.call('get', 'entries/exists', asked, 'query').expect(200);
    const { exists } = body as { exists: number | null };
    const found = exists === null ? undefined : await this.send('get', `entries/${exists}`);
    return found?.status === 200 ? (found.body as Entry) : undefined;
  }

  private oneOf<T>(values: readonly T[]): T {
    return values[this.roll(values.length)]!;
  }

  private async send(
    method: Parameters<WallabagCalls['call']>[0],
    path: string,
    members: object = {},
  ): Promise<Response> {
    const answer = await this.calls.call(method, path, { ...members });
    expect([method, path, answer.status, EXPECTED.has(answer.status)]).toContain(true);
    return answer;
  }
}
