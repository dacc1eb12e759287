import { EpubService } from '../../src/articles/epub/epub.service.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { bookIn, E_READER_PATH, EReaderWorld } from '../support/e-reader-world.js';
import { linkIn } from '../support/mail-server.js';
import { headingOf, locationOf, shownText } from '../support/page-visitor.js';

const CONFIRM = `${E_READER_PATH}/confirm`;

let world: EReaderWorld;
let ada: Awaited<ReturnType<EReaderWorld['settled']>>;

beforeAll(async () => {
  // The limit is one mail a day. If a refused mail counted, the next mail would be rejected.
  world = await EReaderWorld.begin({ limits: { eReaderMailPerUser: 1, mailPerAccount: 3 } });
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.settled({ digest: '1' }, { isConfirmed: false });
});
afterEach(() => world.idle());

const press = async (path: string) =>
  ada.visitor.post(path, { _csrf: await ada.visitor.csrfToken() });

const vouchForAda = () =>
  world.app.app.get(UserAdministrationService).verifyEmail(ada.api.user.email);

describe('e-reader mail for a user with an unverified address', () => {
  it('is rejected with a link to the settings, counts toward no limit, and is sent after verification', async () => {
    const { api, visitor, address } = ada;
    const id = await api.saved('https://example.com/an-article');
    const article = await visitor.open(`/read/${id}`).expect(200);
    expect(article.text).not.toContain(`/read/${id}/e-reader`);
    expect(shownText(article)).toContain('Confirm your email address to send to your e-reader');

    const refused = await press(`/read/${id}/e-reader`);
    const test = await press(`${E_READER_PATH}/test`);

    for (const answer of [refused, test]) {
      expect([answer.status, headingOf(answer)]).toEqual([403, 'Confirm your email address']);
      expect(answer.text).toContain(`href="${E_READER_PATH}"`);
    }
    const settings = await visitor.open(E_READER_PATH).expect(200);
    expect(shownText(settings)).toContain(`confirm your email address, ${api.user.email}`);
    expect(settings.text).not.toContain(`${E_READER_PATH}/test`);
    const asked = await visitor.submit(await visitor.form(E_READER_PATH, CONFIRM)).expect(303);
    expect(shownText(await visitor.open(locationOf(asked)))).toContain('Email sent.');
    const link = linkIn(await world.server.mailTo(api.user.email), world.app.url);
    await visitor.submit(await visitor.form(link, '/auth/verify')).expect(303);
    expect((await visitor.open(E_READER_PATH)).text).not.toContain(CONFIRM);
    await visitor.submit(await visitor.form(`/read/${id}`, `/read/${id}/e-reader`)).expect(303);
    await world.server.mailTo(address);
    await world.idle();
    expect((await press(`/read/${id}/e-reader`)).status).toBe(429);
    expect(world.server.sentTo(address)).toHaveLength(1);
  });

  it('returns the error code email_not_verified to a script', async () => {
    const id = await ada.api.saved('https://example.com/an-article');
    const _csrf = await ada.visitor.csrfToken();

    const answer = await ada.visitor
      .post(`/read/${id}/e-reader`, { _csrf })
      .set('Accept', 'application/json');

    expect([answer.status, answer.body.code]).toEqual([403, 'email_not_verified']);
  });

  it('skips digests; the first digest after verification contains the waiting articles', async () => {
    await ada.api.saved('https://example.com/waiting');
    await world.untilDue(ada.userId);
    await world.sendDue();
    const page = await ada.visitor.open(E_READER_PATH);
    expect(shownText(page, '[role=alert]')).toContain('Confirm the email address of your account');
    expect(world.server.sentTo(ada.address)).toEqual([]);

    await vouchForAda();
    await world.untilDue(ada.userId);
    await world.sendDue();

    const book = await bookIn(await world.server.mailTo(ada.address));
    expect(Object.values(book).join()).toContain('https://example.com/waiting');
  });

  it('is not sent if the address of the account changes while the file is created', async () => {
    await vouchForAda();
    const id = await ada.api.saved('https://example.com/an-article');
    const made = jest.spyOn(world.app.app.get(EpubService), 'ofItem');
    made.mockImplementation(async () => {
      await world.app.database.query(
        `UPDATE users SET email = 'new-' || email, email_verified_at = NULL WHERE id = $1`,
        [ada.userId],
      );
      return { name: { full: 'a.epub', plain: 'a.epub' }, bytes: Buffer.alloc(1) };
    });

    expect((await press(`/read/${id}/e-reader`)).status).toBe(303);
    await world.idle();
    made.mockRestore();

    expect(world.server.sentTo(ada.address)).toEqual([]);
    const page = await ada.visitor.open(E_READER_PATH);
    expect(shownText(page, '[role=alert]')).toContain('Confirm the email address of your account');
  });
});

describe('the mail that verifies the address', () => {
  it('is sent until the mail limit is reached', async () => {
    const statuses = [];
    for (let times = 0; times < 4; times += 1) {
      statuses.push((await press(CONFIRM)).status);
    }

    expect(statuses).toEqual([303, 303, 303, 429]);
    await world.server.mailTo(ada.api.user.email, 3);
  });

  it('is not sent without the CSRF token or for a verified address', async () => {
    await ada.visitor.post(CONFIRM, {}).expect(403);
    await vouchForAda();

    expect(locationOf(await press(CONFIRM))).toBe(E_READER_PATH);
    const test = await press(`${E_READER_PATH}/test`);

    expect(test.status).toBe(303);
    await world.server.mailTo(ada.address);
    expect(world.server.sentTo(ada.api.user.email)).toEqual([]);
  });
});
