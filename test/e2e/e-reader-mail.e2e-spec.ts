import { randomBytes } from 'node:crypto';

import { EpubService } from '../../src/articles/epub/epub.service.js';
import { ImageCache } from '../../src/articles/images/image-cache.js';
import { MOST_ATTACHED_BYTES } from '../../src/platform/mail/mailer.js';
import { ItemRepository } from '../../src/reading-list/list/item.repository.js';
import { AccountApi } from '../support/account-api.js';
import { bookIn, E_READER_PATH, EReaderWorld } from '../support/e-reader-world.js';
import { attachmentOf } from '../support/mail-server.js';
import { formIn, locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { readEpub } from '../support/read-epub.js';
import { aTestApp } from '../support/test-app.js';

const AN_ADDRESS = 'https://example.com/an-article';
const NAME = { full: 'a.epub', plain: 'a.epub' };

const PICTURES = [1, 2, 3].map((number) => `https://pictures.example/${number}.jpg`);
const PARAGRAPH = `<p>${'A plain sentence of an article stands here. '.repeat(12)}</p>`;
const PICTURE_BOOK = `<!doctype html><html lang="en"><title>Pictures</title><article><h1>Pictures</h1>
  ${PICTURES.map((src) => `${PARAGRAPH}<p><img src="${src}" alt=""></p>`).join('')}${PARAGRAPH}</article></html>`;

/** Starts like a JPEG. Three of these are too large for a mail. */
const aPicture = (): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(5_000_000)]);

let world: EReaderWorld;
let reply: { code: number; text: string } | undefined;

beforeAll(async () => {
  world = await EReaderWorld.begin({ limits: { eReaderMailPerUser: 3 } }, () => reply);
});
afterAll(() => world.close());
beforeEach(() => {
  reply = undefined;
});
afterEach(() => world.idle());

/** Clicks the button on the page of an item. */
async function send(visitor: PageVisitor, id: string) {
  return visitor.submit(await visitor.form(`/read/${id}`, `/read/${id}/e-reader`));
}

describe('sending an article to an e-reader', () => {
  it('mails the article as an EPUB and names the user who sends it', async () => {
    const { api, visitor, address } = await world.settled();
    const id = await api.saved(AN_ADDRESS);

    const answer = await send(visitor, id);

    expect([answer.status, locationOf(answer)]).toEqual([303, `/read/${id}?done=e-reader`]);
    expect(shownText(await visitor.open(locationOf(answer)))).toContain(
      'Sending to your e-reader.',
    );
    const mail = await world.server.mailTo(address);
    expect(mail.to).toEqual([address]);
    expect(mail.from).toBe('satchel@example.com');
    expect(mail.raw.replaceAll('=\r\n', '')).toContain(api.user.email);
    expect(attachmentOf(mail)).toMatchObject({
      name: expect.stringMatching(/\.epub$/) as string,
      type: 'application/epub+zip',
    });
    const book = await bookIn(mail);
    expect(Object.entries(book)[0]).toEqual(['mimetype', 'application/epub+zip']);
    expect(Object.values(book).join()).toContain(AN_ADDRESS);
    await world.idle();
    expect(shownText(await visitor.open(E_READER_PATH))).toMatch(/Last sent “.*an-article.*”, \d/);
    expect(JSON.stringify(await api.item(id))).toContain('"status":"0"');
  });

  it('archives the article if the user has chosen so, unless the text is missing', async () => {
    const ada = await world.settled({ archives: '1' });
    const { api, visitor, address } = ada;
    const ids = [await world.article(ada, AN_ADDRESS), await api.saved('https://example.com/new')];

    for (const id of ids) {
      await send(visitor, id);
      await world.idle();
    }

    expect(world.server.sentTo(address)).toHaveLength(2);
    const items = await Promise.all(ids.map((id) => api.item(id)));
    expect(items.map((item) => item?.status)).toEqual(['1', '0']);
  });

  it('returns 404 and links to the settings if no e-reader address is set', async () => {
    const { api, visitor } = await world.reader();
    const id = await api.saved(AN_ADDRESS);

    const page = await visitor.open(`/read/${id}`).expect(200);

    expect(page.text).not.toContain(`/read/${id}/e-reader`);
    expect(page.text).toContain(`href="${E_READER_PATH}"`);
    const _csrf = await visitor.csrfToken();
    const answer = await visitor.post(`/read/${id}/e-reader`, { _csrf }).expect(404);
    expect(shownText(answer)).toContain('Save the address of your e-reader');
  });

  it('returns 404 for items of other users and for invalid ids', async () => {
    const { visitor } = await world.settled();
    const other = await world.reader();
    const id = await other.api.saved('https://example.com/of-another');
    const _csrf = await visitor.csrfToken();

    await visitor.post(`/read/${id}/e-reader`, { _csrf }).expect(404);
    await visitor.post('/read/0/e-reader', { _csrf }).expect(404);
    await visitor.post('/read/x/e-reader', { _csrf }).expect(404);
  });

  it('returns 429 when the daily limit is reached', async () => {
    const { api, visitor, address } = await world.settled();
    const id = await api.saved(AN_ADDRESS);
    for (let sent = 0; sent < 3; sent += 1) {
      await send(visitor, id);
    }

    const answer = await send(visitor, id);

    expect(answer.status).toBe(429);
    expect(shownText(answer)).toContain(
      'your daily limit of 3 emails to your e-reader. Try again in 24 hours.',
    );
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(86_000);
    await world.idle();
    expect(world.server.sentTo(address)).toHaveLength(3);
    const other = await world.settled();
    await send(other.visitor, await other.api.saved(AN_ADDRESS));
    await world.server.mailTo(other.address);
  });

  it('shows an error of the mail server on the settings page until a later mail is sent', async () => {
    const { api, visitor, address } = await world.settled({ archives: '1' });
    const id = await api.saved(AN_ADDRESS);
    reply = { code: 552, text: 'too large for mx.internal.example' };

    await send(visitor, id);

    await world.idle();
    const page = await visitor.open(E_READER_PATH);
    expect(shownText(page, '[role=alert]')).toMatch(
      /^The latest email was not sent, .*The mail server rejected the email/,
    );
    expect(page.text).not.toContain('mx.internal');
    expect(world.server.sentTo(address)).toEqual([]);
    expect(JSON.stringify(await api.item(id))).toContain('"status":"0"');
    reply = undefined;
    await send(visitor, id);
    await world.idle();
    expect((await visitor.open(E_READER_PATH)).text).not.toContain('role="alert"');
  });

  it('shows on the settings page that the file is too large or cannot be created', async () => {
    const { api, visitor, address } = await world.settled();
    const id = await api.saved(AN_ADDRESS);
    const books = world.app.app.get(EpubService);
    const made = jest.spyOn(books, 'ofItem');

    made.mockResolvedValue({ name: NAME, bytes: Buffer.alloc(MOST_ATTACHED_BYTES + 1) });
    await send(visitor, id);
    await world.idle();
    expect(shownText(await visitor.open(E_READER_PATH))).toContain('too large for an email');
    made.mockRejectedValue(new Error('at /srv/secret'));
    await send(visitor, id);
    await world.idle();

    const page = await visitor.open(E_READER_PATH);
    expect(shownText(page)).toContain('Satchel could not create the file.');
    expect(page.text).not.toContain('/srv/secret');
    made.mockRestore();
    expect(world.server.sentTo(address)).toEqual([]);
  });

  it('leaves out pictures if the file would be too large, and notes this in the book', async () => {
    const { api, visitor, address, userId } = await world.settled();
    const id = await api.saved(AN_ADDRESS, { html: PICTURE_BOOK });
    await until(async () => (await visitor.open(`/read/${id}`)).text.includes('id="article-text"'));
    for (const src of PICTURES) {
      await world.app.app.get(ImageCache).keep(src, aPicture());
    }
    const row = (await world.app.app.get(ItemRepository).rowsById(userId, [id])).get(id)!;
    const whole = await world.app.app.get(EpubService).ofItem(userId, row);
    expect(whole.bytes.length).toBeGreaterThan(MOST_ATTACHED_BYTES);
    expect(
      (await readEpub(whole.bytes)).chapters[0]!.document.documentElement!.textContent,
    ).not.toContain('does not contain all pictures');

    await send(visitor, id);

    const book = await readEpub(attachmentOf(await world.server.mailTo(address)).bytes);
    expect(Object.keys(book.pictures)).toEqual([
      'pictures/picture-1.jpg',
      'pictures/picture-2.jpg',
    ]);
    expect(book.chapters[0]!.document.documentElement!.textContent).toContain(
      'does not contain all pictures',
    );
  });

  it('fits the largest attachment into a mail of 20 MB', async () => {
    const { api, visitor, address } = await world.settled();
    const id = await api.saved(AN_ADDRESS);
    const bytes = Buffer.alloc(MOST_ATTACHED_BYTES, 7);
    const books = world.app.app.get(EpubService);
    const made = jest.spyOn(books, 'ofItem').mockResolvedValue({ name: NAME, bytes });

    await send(visitor, id);

    const mail = await world.server.mailTo(address);
    expect(mail.raw.length).toBeLessThan(20_000_000);
    expect(mail.raw.length).toBeGreaterThan(19_800_000);
    made.mockRestore();
  });

  it('returns 403 without a valid CSRF token', async () => {
    const { api, visitor, address } = await world.settled();
    const id = await api.saved(AN_ADDRESS);

    await visitor.post(`/read/${id}/e-reader`, {}).expect(403);
    await visitor.post(`/read/${id}/e-reader`, { _csrf: 'x'.repeat(64) }).expect(403);
    await new PageVisitor(world.app).post(`/read/${id}/e-reader`, {}).expect(403);

    await world.idle();
    expect(world.server.sentTo(address)).toEqual([]);
  });
});

describe('a service without e-reader mail', () => {
  it.each([
    ['for it sends no mail', undefined],
    ['because its operator does not want it', { hasEReaderMail: false }],
  ])('returns 404 for its pages and shows no link to them, %s', async (_, mail) => {
    const settings = { ...world.server.settings, ...mail };
    const silent = await aTestApp({ config: mail === undefined ? {} : { mail: settings } });
    const user = await new AccountApi(silent).signedIn();
    const visitor = new PageVisitor(silent);
    await visitor.logIn(user);
    const account = await visitor.open('/account').expect(200);
    const { fields } = formIn(account, '/auth/leave');

    expect(account.text).not.toContain(E_READER_PATH);
    await visitor.open(E_READER_PATH).expect(404);
    for (const path of [E_READER_PATH, `${E_READER_PATH}/test`, '/read/1/e-reader']) {
      await visitor.post(path, { ...fields, address: 'a@example.com' }).expect(404);
    }
    await silent.close();
  });
});
