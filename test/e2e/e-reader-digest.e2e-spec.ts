import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { Digests } from '../../src/apis/e-reader-mail/digests.js';
import { EpubService } from '../../src/articles/epub/epub.service.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { MOST_ATTACHED_BYTES } from '../../src/platform/mail/mailer.js';
import { bookIn, E_READER_PATH, EReaderWorld } from '../support/e-reader-world.js';
import { attachmentOf } from '../support/mail-server.js';
import { formIn, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let world: EReaderWorld;
let other: TestApp;
let reply: { code: number; text: string } | undefined;

beforeAll(async () => {
  world = await EReaderWorld.begin({ limits: { eReaderMailPerUser: 3 } }, () => reply);
  other = await aTestApp({ beside: world.app });
});
afterAll(async () => {
  await other.close();
  await world.close();
});
beforeEach(() => {
  reply = undefined;
});

type Reader = Awaited<ReturnType<EReaderWorld['settled']>>;
type BookArguments = Parameters<EpubService['stream']>;

const url = (name: string): string => `https://example.com/${name}`;

async function save({ api }: Reader, ...names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    ids.push(await api.saved(url(name)));
  }
  return ids;
}

/** Returns the topics of the `count`th digest's chapters, in order. */
async function articlesOf({ address }: Reader, count = 1): Promise<string[]> {
  const book = await bookIn(await world.server.mailTo(address, count));
  return Object.entries(book)
    .filter(([path]) => /chapter-\d+\.xhtml$/.test(path))
    .map(([, text]) => /example\.com\/([\w-]+)/.exec(text)?.[1] ?? '');
}

/** Wraps the creation of one reader's books. The books of other readers are unchanged. */
function replaceBooksOf(
  reader: Reader,
  inAnotherWay: (make: EpubService['stream'], ...book: BookArguments) => AsyncIterable<Buffer>,
) {
  const books = world.app.app.get(EpubService);
  const make = books.stream.bind(books);
  return jest
    .spyOn(EpubService.prototype, 'stream')
    .mockImplementation((...book) =>
      book[0] === reader.userId
        ? Readable.from(inAnotherWay(make, ...book), { objectMode: false })
        : make(...book),
    );
}

/** Waits until the result of the latest digest is shown. */
async function shownAs({ visitor }: Reader, text: RegExp): Promise<void> {
  for (;;) {
    if (text.test(shownText(await visitor.open(E_READER_PATH)))) {
      return;
    }
  }
}

describe('a digest', () => {
  it('is sent at its time, not earlier, with the unread articles, newest first', async () => {
    const ada = await world.settled({ digest: '1', articles: '2' });
    const [archived] = await save(ada, 'archived', 'first', 'second', 'third');
    await ada.api.send([{ action: 'archive', item_id: archived }]);

    await world.sendDue();
    expect(world.server.sentTo(ada.address)).toEqual([]);
    await world.untilDue(ada.userId);
    await world.sendDue();

    expect(await articlesOf(ada)).toEqual(['third', 'second']);
    const { name, type } = attachmentOf(await world.server.mailTo(ada.address));
    expect([name, type]).toEqual([
      expect.stringMatching(/^Satchel \d{4}-\d\d-\d\d\.epub$/),
      'application/epub+zip',
    ]);
    await shownAs(ada, /Last sent a digest of 2 articles, \d/);
    const unread = await ada.api.items({ state: 'unread' });
    expect(unread).toHaveLength(3);
  });

  it('can contain articles that were already sent, and archives those that it contains in full', async () => {
    const ada = await world.settled({ digest: '1', only_new: '' });
    const first = await world.article(ada, url('first'));
    const [second] = await save(ada, 'second');
    await world.untilDue(ada.userId);
    await world.sendDue();
    expect(await articlesOf(ada)).toEqual(['second', 'first']);

    const form = formIn(await ada.visitor.open(E_READER_PATH), E_READER_PATH);
    const { address } = ada;
    const days = { saturday: '1', sunday: '1', monday: '1', tuesday: '1', wednesday: '1' };
    const fields = { ...days, thursday: '1', friday: '1', archives: '1', zone: 'UTC' };
    await ada.visitor.submit(form, { address, digest: '1', ...fields }).expect(303);
    await world.untilDue(ada.userId);
    await world.sendDue();

    expect(await articlesOf(ada, 2)).toEqual(['second', 'first']);
    while ((await ada.api.item(first))?.status !== '1') {
      // The item is archived after the mail was sent.
    }
    expect((await ada.api.item(second!))?.status).toBe('0');
  });

  it('contains only articles added since the last digest, and is not sent if there are none', async () => {
    const ada = await world.settled({ digest: '1', only_new: '1' });
    await save(ada, 'first');
    await world.untilDue(ada.userId);
    await world.sendDue();
    expect(await articlesOf(ada)).toEqual(['first']);
    await shownAs(ada, /a digest of 1 article[^s]/);

    await world.untilDue(ada.userId);
    await world.sendDue();
    const [, archived] = await save(ada, 'second', 'archived');
    await ada.api.send([{ action: 'archive', item_id: archived }]);
    await world.untilDue(ada.userId);
    await world.sendDue();

    expect(await articlesOf(ada, 2)).toEqual(['second']);
    expect(world.server.sentTo(ada.address)).toHaveLength(2);
  });

  it('is sent once if several instances look for due digests at the same time', async () => {
    const readers = [];
    for (let number = 0; number < 4; number += 1) {
      const reader = await world.settled({ digest: '1' });
      await save(reader, 'once');
      readers.push(reader);
    }
    await world.untilDue(readers[0]?.userId ?? '');

    await Promise.all([world.sendDue(other), world.sendDue(other), world.sendDue(other)]);
    for (const reader of readers) {
      await shownAs(reader, /a digest of 1 article[^s]/);
    }

    expect(readers.map(({ address }) => world.server.sentTo(address).length)).toEqual([1, 1, 1, 1]);
  });

  it('is reported to the user if the mail server rejects it, and the next digest has its articles', async () => {
    const ada = await world.settled({ digest: '1', only_new: '1' });
    await save(ada, 'first');
    reply = { code: 550, text: 'no such user' };
    await world.untilDue(ada.userId);
    await world.sendDue();
    await shownAs(ada, /The latest email was not sent, .*The mail server rejected the email/);
    reply = undefined;
    expect(await world.app.app.get(Digests).sendNext()).toBe(false);

    await save(ada, 'second');
    await world.untilDue(ada.userId);
    await world.sendDue();

    expect(await articlesOf(ada)).toEqual(['second', 'first']);
  });

  it('is not sent to a disabled user, or to a user who has deleted the e-reader settings', async () => {
    const disabled = await world.settled({ digest: '1' });
    const stopped = await world.settled({ digest: '1' });
    await save(disabled, 'first');
    await save(stopped, 'first');
    await world.app.app.get(UserAdministrationService).disable(disabled.api.user.email);
    const form = await stopped.visitor.form(E_READER_PATH, `${E_READER_PATH}/delete`);
    const before = world.app.clock.now();
    await world.untilDue(disabled.userId);
    expect(world.app.clock.now().getTime()).toBeGreaterThan(before.getTime());

    await stopped.visitor.submit(form).expect(303);
    await world.sendDue();

    await world.idle();
    expect(world.server.sentTo(disabled.address)).toEqual([]);
    expect(world.server.sentTo(stopped.address)).toEqual([]);
  });

  it('is not sent if the user turns digests off while it is created, and the address is kept', async () => {
    const ada = await world.settled({ digest: '1' });
    await save(ada, 'first');
    const answers: number[] = [];
    const made = replaceBooksOf(ada, async function* (make, ...book) {
      const form = await ada.visitor.form(E_READER_PATH, E_READER_PATH);
      const { status } = await ada.visitor.submit(form, { address: ada.address, zone: 'UTC' });
      answers.push(status);
      yield* make(...book);
    });

    await world.untilDue(ada.userId);
    await world.sendDue();
    made.mockRestore();

    expect(answers).toEqual([303]);
    const form = await ada.visitor.form(E_READER_PATH, `${E_READER_PATH}/test`);
    await ada.visitor.submit(form).expect(303);
    await world.idle();
    const names = world.server.sentTo(ada.address).map((mail) => attachmentOf(mail).name);
    expect(names).toEqual(['Satchel test.txt']);
  });

  it('counts toward the daily limit of mails per user', async () => {
    const ada = await world.settled({ digest: '1', only_new: '' });
    await save(ada, 'first');
    for (let day = 1; day <= 4; day += 1) {
      await world.untilDue(ada.userId);
      await world.sendDue();
    }

    await shownAs(
      ada,
      /The latest email was not sent, .*daily limit of 3 emails to your e-reader\. The next digest will contain the articles/,
    );
    expect(world.server.sentTo(ada.address)).toHaveLength(3);
  });

  it('contains half of the articles if it is too large for a mail, and leaves no temporary file', async () => {
    const ada = await world.settled({ digest: '1' });
    await save(ada, 'first', 'second', 'third', 'fourth', 'fifth');
    const made = replaceBooksOf(ada, async function* (make, userId, rows, collection) {
      const few = new PassThrough({ objectMode: true });
      let count = 0;
      for await (const row of rows) {
        count += 1;
        few.write(row);
      }
      few.end();
      const bytes = await buffer(make(userId, few, collection));
      yield count > 2 ? Buffer.alloc(MOST_ATTACHED_BYTES) : bytes;
      yield count > 2 ? bytes : Buffer.alloc(0);
    });

    await world.untilDue(ada.userId);
    await world.sendDue();

    expect(await articlesOf(ada)).toEqual(['fifth', 'fourth']);
    await shownAs(ada, /a digest of 2 of 5 articles/);
    made.mockRestore();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('satchel-digest-'))).toEqual([]);
  });

  it('is deleted with the account of its user', async () => {
    const ada = await world.settled({ digest: '1' });

    await world.app.app.get(UserAdministrationService).delete(ada.api.user.email);

    const rows = await world.app.database.query(
      'SELECT FROM e_reader_settings WHERE user_id = $1',
      [ada.userId],
    );
    expect(rows).toEqual([]);
  });
});
