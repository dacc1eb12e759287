import { ListDigestSender } from '../../src/apis/e-reader-mail/list-digests/list-digest-sender.js';
import { E_READER_PATH, EReaderWorld, EVERY_DAY } from './e-reader-world.js';
import { LISTS, Publisher } from './list-publisher.js';
import { headersOf, partsOf, type ReceivedMail } from './mail-server.js';
import type { TestApp } from './test-app.js';

/** A user with a list of all items that have the tag `sea`, and its digest. */
export type DigestReader = Publisher;

/** The service with a mail server, and users with digests of lists. */
export class ListDigestWorld {
  /** Results of all digest runs, including those that instances start on their own. */
  private readonly made = jest.spyOn(ListDigestSender.prototype, 'sendNext').mock.results;

  private constructor(readonly world: EReaderWorld) {}

  static async begin(
    refuse?: (raw: string) => { code: number; text: string } | undefined,
  ): Promise<ListDigestWorld> {
    return new ListDigestWorld(await EReaderWorld.begin({}, refuse));
  }

  get app(): TestApp {
    return this.world.app;
  }

  /** Creates a user with a list. The email address is confirmed unless the test says otherwise. */
  async reader({ isConfirmed = true } = {}): Promise<DigestReader> {
    const reader = await Publisher.of(this.app);
    await this.app.database.query(
      'UPDATE users SET email_verified_at = CASE WHEN $2 THEN now() END WHERE id = $1',
      [reader.api.user.id, isConfirmed],
    );
    return reader;
  }

  /** Creates a user whose list has a digest. */
  async settled(fields: Record<string, string> = {}): Promise<DigestReader> {
    const reader = await this.reader();
    await this.save(reader, fields);
    return reader;
  }

  async save(
    { visitor, editPath }: DigestReader,
    fields: Record<string, string> = {},
    status = 303,
  ): Promise<void> {
    const form = await visitor.form(editPath, `${LISTS}/digest`);
    await visitor
      .submit(form, {
        digest: '1',
        target: 'email',
        zone: 'Europe/Zurich',
        ...EVERY_DAY,
        ...fields,
      })
      .expect(status);
  }

  async withEReader({ visitor }: DigestReader, address: string): Promise<void> {
    const form = await visitor.form(E_READER_PATH, E_READER_PATH);
    await visitor.submit(form, { address, zone: 'UTC', ...EVERY_DAY }).expect(303);
  }

  /** Adds items to the list of a reader. Returns their ids. */
  async addItems({ api }: DigestReader, ...names: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) {
      ids.push(await api.saved(`https://example.com/${name}`, { tags: 'sea', title: name }));
    }
    return ids;
  }

  /** Returns the titles in each mail to a user. */
  titlesSentTo(reader: DigestReader): string[][] {
    return this.mails(reader)
      .map((mail) => [...(partsOf(mail)[1] ?? '').matchAll(/<h2[^>]*><a[^>]*>([^<]*)/g)])
      .map((found) => found.map(([, title = '']) => title));
  }

  async row({ id }: DigestReader) {
    const [row] = await this.app.database.query<{
      next_at: Date | null;
      attempts: number;
      last_error: string;
    }>('SELECT next_at, attempts, last_error FROM list_digests WHERE list_id = $1', [id]);
    return row;
  }

  /** Moves the clock to just after the next time of the digest, and sends all digests that are due. */
  async sendNext(reader: DigestReader, ...others: readonly TestApp[]): Promise<void> {
    await this.moveClock(reader, { secondsAfter: 1 });
    await this.sendDue(...others);
  }

  /** Moves the clock to a time before or after the next time of the digest, but never back. A deleted list can be restored for an hour. */
  async moveClock(
    reader: DigestReader,
    { secondsAfter }: { readonly secondsAfter: number },
  ): Promise<void> {
    const { next_at: at } = (await this.row(reader)) ?? {};
    if (!(at instanceof Date)) {
      throw new Error('this digest is off');
    }
    const ahead = (at.getTime() - this.app.clock.now().getTime()) / 1000 + secondsAfter;
    this.app.clock.advance(Math.max(0, ahead));
  }

  /** Sends all digests that are due from several instances at once. */
  async sendDue(...others: readonly TestApp[]): Promise<void> {
    const instances = [this.app, ...others];
    const found = await Promise.all(
      instances.map(({ app }) => app.get(ListDigestSender).sendNext()),
    );
    if (found.includes(true)) {
      await this.sendDue(...others);
    }
    await Promise.allSettled(this.made.map(({ value }) => value as Promise<boolean>));
  }

  sentTo(address: string): ReceivedMail[] {
    return this.world.server.sentTo(address);
  }

  mails({ api }: DigestReader): ReceivedMail[] {
    return this.sentTo(api.user.email);
  }

  close(): Promise<void> {
    return this.world.close();
  }
}

/** Returns the value of a header of a mail. */
export const headerOf = (mail: ReceivedMail | undefined, name: string): string =>
  (mail === undefined ? [] : headersOf(mail))
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2) ?? '';
