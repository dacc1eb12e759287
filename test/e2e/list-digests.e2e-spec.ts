import request from 'supertest';

import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { bookIn } from '../support/e-reader-world.js';
import { type DigestReader, headerOf, ListDigestWorld } from '../support/list-digest-world.js';
import { LISTS, Publisher } from '../support/list-publisher.js';
import { partsOf } from '../support/mail-server.js';
import { formIn, locationOf, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let world: ListDigestWorld;
let other: TestApp;

beforeAll(async () => {
  world = await ListDigestWorld.begin();
  other = await aTestApp({ beside: world.app });
});
afterAll(async () => {
  await other.close();
  await world.close();
});

const save = (reader: DigestReader, ...names: readonly string[]): Promise<string[]> =>
  world.addItems(reader, ...names);
const titlesSentTo = (reader: DigestReader): string[][] => world.titlesSentTo(reader);

const shown = async ({ visitor, editPath }: DigestReader): Promise<string> =>
  shownText(await visitor.open(editPath).expect(200));

const stopPathIn = (reader: DigestReader): string => {
  const header = headerOf(world.mails(reader).at(-1), 'List-Unsubscribe');
  return new URL(header.slice(1, -1)).pathname;
};

describe('the digest of a list', () => {
  it('mails the newest items that no earlier digest contained', async () => {
    const ada = await world.settled({ items: '2' });
    await save(ada, 'first', 'second', 'third');
    await ada.api.saved('https://land.example/', { tags: 'land', title: 'On land' });

    await world.sendDue();
    expect(world.mails(ada)).toEqual([]);
    await world.sendNext(ada);
    await save(ada, 'fourth');
    await world.sendNext(ada);
    await world.sendNext(ada);

    expect(titlesSentTo(ada)).toEqual([
      ['third', 'second'],
      ['fourth', 'first'],
    ]);
    expect(await shown(ada)).toMatch(/Last digest: 2 items, .* Next digest: /);
  });

  it('is readable, says why it was sent, and contains no pictures', async () => {
    const ada = await world.settled();
    const [id = ''] = await save(ada, 'A <b>bold</b> title');

    await world.sendNext(ada);

    const [mail] = world.mails(ada);
    const [text = '', html = ''] = partsOf(mail!);
    const base = world.app.url;
    expect(headerOf(mail, 'Subject')).toBe('By the sea: 1 item');
    expect(text).toContain(`A <b>bold</b> title\nexample.com\n${base}/read/${id}`);
    expect(text).toContain('because you turned on a digest of your list “By the sea”');
    expect(html).toContain(`<a href="${base}/read/${id}">A &lt;b&gt;bold&lt;/b&gt; title</a>`);
    expect(html).not.toMatch(/<img|<b>bold/);
    expect(
      [...html.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => new URL(url).origin),
    ).toEqual(Array.from({ length: 3 }, () => base));
  });

  it('is sent once if several instances look for due digests at the same time', async () => {
    const readers = await Promise.all([world.settled(), world.settled(), world.settled()]);
    for (const reader of readers) {
      await save(reader, 'once');
    }

    await Promise.all([
      world.sendNext(readers[0], other),
      world.sendDue(other),
      world.sendDue(other),
    ]);

    expect(readers.map((reader) => world.mails(reader).length)).toEqual([1, 1, 1]);
  });

  it('is not sent while the list is deleted, and goes on after its restore', async () => {
    const ada = await world.settled();
    await save(ada, 'first');
    await world.moveClock(ada, { secondsAfter: -60 });
    const form = await ada.visitor.form(ada.editPath, `${LISTS}/delete`);
    const deleted = locationOf(await ada.visitor.submit(form).expect(303));

    await world.sendNext(ada);
    expect(world.mails(ada)).toEqual([]);
    const page = await ada.visitor.open(deleted).expect(200);
    await ada.visitor.submit(formIn(page, `${LISTS}/restore`)).expect(303);
    await world.sendNext(ada);
    expect(titlesSentTo(ada)).toEqual([['first']]);
  });

  it('sends nothing and says so if this version does not understand the conditions', async () => {
    const ada = await world.settled();
    await save(ada, 'first');
    await world.app.database.query(
      `UPDATE saved_lists SET conditions = '{"mood": "calm"}' WHERE id = $1`,
      [ada.id],
    );

    await world.sendNext(ada);

    expect(world.mails(ada)).toEqual([]);
    expect((await world.row(ada))?.attempts).toBe(0);
    expect(await shown(ada)).toMatch(/was not sent, .*does not understand all conditions/);
  });

  it('is sent to the e-reader as one book, with a link that turns it off', async () => {
    const ada = await world.reader();
    await world.withEReader(ada, 'ada@kindle.example');
    await world.save(ada, { target: 'e-reader' });
    await save(ada, 'first', 'second');

    await world.sendNext(ada);
    await world.sendNext(ada);

    const mails = world.sentTo('ada@kindle.example');
    expect(mails).toHaveLength(1);
    const files = Object.entries(await bookIn(mails[0]!));
    const chapters = files.filter(([path]) => /chapter-\d+\.xhtml$/.test(path));
    expect(chapters.map(([, text]) => /example\.com\/(\w+)/.exec(text)?.[1])).toEqual([
      'second',
      'first',
    ]);
    expect(headerOf(mails[0], 'List-Unsubscribe')).toContain('/unsubscribe/');
    expect(headerOf(mails[0], 'Subject')).toBe('From Satchel, for your e-reader');
  });

  it('needs a confirmed email address and an e-reader', async () => {
    const ada = await world.reader({ isConfirmed: false });
    await world.save(ada);
    await save(ada, 'first');
    await world.sendNext(ada);
    expect(world.mails(ada)).toEqual([]);
    expect(await shown(ada)).toContain('Satchel sends no digest until you confirm');

    const eve = await world.settled({ target: 'e-reader' });
    await save(eve, 'first');
    await world.sendNext(eve);
    expect(await shown(eve)).toContain("Satchel can't send to your e-reader");
  });

  it.each([
    ['time', '25:00'],
    ['items', '0'],
    ['items', '101'],
    ['zone', 'Mars'],
    ['target', 'sms'],
  ])('rejects the field %s with the value %s', async (field, value) => {
    const ada = await world.reader();

    await world.save(ada, { [field]: value }, 400);

    expect(await world.row(ada)).toBeUndefined();
    await world.save(ada);
  });

  it('rejects invalid fields together, and changes no digest of another user', async () => {
    const ada = await world.reader();
    const form = await ada.visitor.form(ada.editPath, `${LISTS}/digest`);
    const fields = { digest: '1', time: '25:00', items: '101', zone: 'Mars', target: 'sms' };
    const page = await ada.visitor.submit(form, fields).expect(400);
    expect(shownText(page, '[role=alert]')).toMatch(/Enter a time.*Select a time zone/);
    expect(await world.row(ada)).toBeUndefined();

    const eve = await world.settled();
    await ada.visitor.submit(form, { id: eve.id }).expect(404);
    expect((await world.row(eve))?.next_at).toBeInstanceOf(Date);
  });

  it('is deleted with the account', async () => {
    const ada = await world.settled();
    await save(ada, 'first');
    await world.sendNext(ada);

    await world.app.app.get(UserAdministrationService).delete(ada.api.user.email);

    expect(await world.row(ada)).toBeUndefined();
    const items = await world.app.database.query(
      'SELECT FROM list_digest_items WHERE list_id = $1',
      [ada.id],
    );
    expect(items).toEqual([]);
  });
});

describe('the link that turns off a digest', () => {
  it('turns off only this digest, with one request and without a login', async () => {
    const ada = await world.settled();
    const eve = await world.settled();
    await save(ada, 'first');
    await world.sendNext(ada);
    const path = stopPathIn(ada);
    expect(headerOf(world.mails(ada)[0], 'List-Unsubscribe-Post')).toBe(
      'List-Unsubscribe=One-Click',
    );

    const page = await request(world.app.url).get(path).expect(200);
    expect(shownText(page)).toContain('Turn off this digest?');
    expect((await world.row(ada))?.next_at).toBeInstanceOf(Date);
    const answer = await request(world.app.url)
      .post(path)
      .type('form')
      .send('List-Unsubscribe=One-Click')
      .expect(200);

    expect(shownText(answer)).toContain('The digest is off');
    expect((await world.row(ada))?.next_at).toBeNull();
    expect((await world.row(eve))?.next_at).toBeInstanceOf(Date);
  });

  it('returns 404 for another signature, list or user', async () => {
    const ada = await world.settled();
    const eve = await world.settled();
    await save(ada, 'first');
    await world.sendNext(ada);
    const path = stopPathIn(ada);

    for (const wrong of [
      `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
      path.replace(ada.id, eve.id),
      path.replace(`/${ada.api.user.id}.`, `/${eve.api.user.id}.`),
      '/unsubscribe/x',
    ]) {
      await request(world.app.url).get(wrong).set('Accept', 'text/html').expect(404);
      await request(world.app.url).post(wrong).set('Accept', 'text/html').expect(404);
    }
    expect((await world.row(ada))?.next_at).toBeInstanceOf(Date);
    expect(world.app.log()).not.toContain(path.slice(-32));
  });
});

describe('a service without a mail server', () => {
  it('says that it sends no mail', async () => {
    const app = await aTestApp();
    try {
      const ada = await Publisher.of(app);
      expect(await shown(ada)).toContain('This service sends no email');
    } finally {
      await app.close();
    }
  });
});
