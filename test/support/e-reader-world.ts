import { Digests } from '../../src/apis/e-reader-mail/digests.js';
import { EReaderMail } from '../../src/apis/e-reader-mail/e-reader-mail.service.js';
import type { Config } from '../../src/platform/config/config.js';
import type { MailSettings } from '../../src/platform/config/mail-settings.js';
import { attachmentOf, MailServer, type ReceivedMail } from './mail-server.js';
import { aVisitor } from './oauth-api.js';
import { until } from './processes.js';
import { ReadingListApi } from './reading-list-api.js';
import { aTestApp, NO_LIMITS, type TestApp } from './test-app.js';
import { unzipped } from './unzipped.js';

export const E_READER_PATH = '/account/e-reader';
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
export const EVERY_DAY = Object.fromEntries(DAYS.map((day) => [day, '1']));

const YEARS = 100_000_000;
const PARAGRAPH = `<p>${'A plain sentence of an article stands here. '.repeat(12)}</p>`;
const AN_ARTICLE = `<!doctype html><title>An article</title><article><h1>An article</h1>${PARAGRAPH.repeat(3)}</article>`;

interface Options {
  readonly mail?: Partial<MailSettings>;
  readonly limits?: Partial<Config['limits']>;
  readonly trustProxy?: Config['trustProxy'];
}

/** The service with a mail server, and users with e-readers. */
export class EReaderWorld {
  private users = 0;

  /** Results of all digest runs, including those that instances start on their own. */
  private readonly made = jest.spyOn(Digests.prototype, 'sendNext').mock.results;

  private constructor(
    readonly app: TestApp,
    readonly server: MailServer,
  ) {}

  static async begin(
    { mail, limits, trustProxy = false }: Options = {},
    refuse?: (raw: string) => { code: number; text: string } | undefined,
  ): Promise<EReaderWorld> {
    const server = await MailServer.begin(refuse && { refuse });
    const app = await aTestApp({
      config: {
        mail: { ...server.settings, hasLoginNotices: false, ...mail },
        // Tests move the clock by days, which must not end sessions.
        ...{ accessTokenTtlSeconds: YEARS, sessionTtlSeconds: YEARS },
        ...{ trustProxy, limits: { ...NO_LIMITS, ...limits } },
      },
    });
    Object.assign(app.config, { publicUrl: new URL(app.url) });
    return new EReaderWorld(app, server);
  }

  /** Creates a user with an empty list. The address is confirmed unless the test says otherwise. */
  async reader({ isConfirmed = true } = {}) {
    const api = await ReadingListApi.of(this.app);
    await this.app.database.query(
      'UPDATE users SET email_verified_at = CASE WHEN $2 THEN now() END WHERE id = $1',
      [api.user.id, isConfirmed],
    );
    const visitor = await aVisitor(this.app, api.user);
    this.users += 1;
    const address = `reader-${this.users}@kindle.example`;
    return { api, visitor, address, userId: api.user.id };
  }

  /** Creates a user and submits the settings form. */
  async settled(fields: Record<string, string> = {}, facts: { isConfirmed?: boolean } = {}) {
    const reader = await this.reader(facts);
    const form = await reader.visitor.form(E_READER_PATH, E_READER_PATH);
    const { address } = reader;
    await reader.visitor
      .submit(form, { address, zone: 'Europe/Zurich', ...EVERY_DAY, ...fields })
      .expect(303);
    return reader;
  }

  /** Saves a page and waits for its article. */
  async article({ api, visitor }: Awaited<ReturnType<EReaderWorld['reader']>>, url: string) {
    const id = await api.saved(url, { html: AN_ARTICLE });
    await until(async () => (await visitor.open(`/read/${id}`)).text.includes('id="article-text"'));
    return id;
  }

  /** Waits until all mails to e-readers are sent. */
  idle(): Promise<void> {
    return this.app.app.get(EReaderMail).idle();
  }

  /** Sends all due digests from several instances at once. */
  async sendDue(...others: readonly TestApp[]): Promise<void> {
    const instances = [this.app, ...others];
    const found = await Promise.all(instances.map(({ app }) => app.get(Digests).sendNext()));
    if (found.includes(true)) {
      await this.sendDue(...others);
    }
    await Promise.allSettled(this.made.map(({ value }) => value as Promise<boolean>));
  }

  /** Moves the clock to just after the user's next digest is due. */
  async untilDue(userId: string): Promise<void> {
    const [row] = await this.app.database.query<{ next_digest_at: Date }>(
      'SELECT next_digest_at FROM e_reader_settings WHERE user_id = $1',
      [userId],
    );
    const aheadMs = (row?.next_digest_at.getTime() ?? 0) - this.app.clock.now().getTime();
    this.app.clock.advance(aheadMs / 1000 + 1);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.server.close();
  }
}

/** Returns the files of the book in a mail, keyed by path, in archive order. */
export const bookIn = (mail: ReceivedMail): Promise<Record<string, string>> =>
  unzipped(attachmentOf(mail).bytes);
