import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { unzipped } from '../support/unzipped.js';

const PATH = '/account/extension';
const FILE = `${PATH}/satchel-extension.zip`;

let app: TestApp;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeEach(async () => {
  app = await aTestApp();
  ada = await aVisitor(app);
});
afterEach(() => app.close());

/** Returns the key that the extension reads from the page. */
async function keyShownTo(visitor: PageVisitor): Promise<string | undefined> {
  const page = await visitor.open(PATH).expect(200);
  const marked = parseDocument(page.text).body.querySelector('[data-consumer-key]');
  return marked?.getAttribute('data-consumer-key') ?? undefined;
}

const press = async (visitor: PageVisitor) =>
  visitor.submit(await visitor.form(PATH, PATH)).expect(303);

describe('the page of the browser extension', () => {
  it('allows the script that it loads', async () => {
    const { text, headers } = await ada.open(PATH).expect(200);

    expect(text).toMatch(/<script type="module" src="\/pages\/offline\.[\da-f]{10}\.js">/);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
  });

  it('creates one key for all users when a user requests it, and shows it again', async () => {
    const bob = await aVisitor(app);
    expect((await ada.open('/account')).text).toContain(`href="${PATH}"`);
    expect(await keyShownTo(ada)).toBeUndefined();
    const late = await bob.form(PATH, PATH);

    const answer = await press(ada);
    const key = await keyShownTo(ada);
    await bob.submit(late).expect(303);

    expect(answer.headers['location']).toBe(PATH);
    expect(key).toMatch(/^extension-[0-9a-f]{24}$/);
    expect(await keyShownTo(bob)).toBe(key);
    expect(shownText(await bob.open(PATH))).toContain(`Address ${app.url}`);
    expect(await app.app.get(ConsumerKeysService).list()).toHaveLength(1);
  });

  it('shows a key with which the extension gets access to the list of a user', async () => {
    await press(ada);
    const extension = new OAuthApi(app, (await keyShownTo(ada)) ?? '');
    const back = `${app.url}${PATH}?done=answered`;
    const code = await extension.code({ redirect_uri: back });

    const answered = await ada.answer(code, 'authorized', back);

    expect(answered.headers['location']).toBe(back);
    expect(headingOf(await ada.open(`${PATH}?done=answered`))).toBe(
      'The browser extension has received your answer',
    );
    await extension.authorize({ code }).expect(200);
    expect(shownText(await ada.open('/account/devices'))).toContain(
      'Satchel browser extension Can see',
    );
  });

  it('does not show or replace a key that an administrator has disabled', async () => {
    const late = await ada.form(PATH, PATH);
    await press(ada);
    const keys = app.app.get(ConsumerKeysService);
    await keys.disable((await keyShownTo(ada)) ?? '');

    await ada.submit(late).expect(303);

    expect(await keyShownTo(ada)).toBeUndefined();
    expect(shownText(await ada.open(PATH))).toContain('has disabled the browser extension');
    expect(await keys.list()).toEqual([expect.objectContaining({ disabledAt: expect.any(Date) })]);
  });

  it('shows since when the extension of the user is connected', async () => {
    const bob = await aVisitor(app);
    await press(ada);
    const extension = new OAuthApi(app, (await keyShownTo(ada)) ?? '');
    expect(shownText(await ada.open(PATH))).not.toContain('is connected');

    await extension.get(await extension.accessToken(ada)).expect(200);

    expect(shownText(await ada.open(PATH), '.notice')).toMatch(
      /^The extension is connected since \d+ \w+ \d{4}\. Last used .* UTC\. To revoke/,
    );
    expect(shownText(await bob.open(PATH))).not.toContain('is connected');
  });

  it('requires a login, and creates no key without a form token', async () => {
    const answer = await new PageVisitor(app).open(PATH).expect(303);

    expect(answer.headers['location']).toBe('/auth/login?next=%2Faccount%2Fextension');
    await ada.post(PATH, {}).expect(403);
    expect(await keyShownTo(ada)).toBeUndefined();
  });
});

describe('the download of the browser extension', () => {
  const download = (visitor: PageVisitor, etag = '') =>
    visitor.open(FILE).set('If-None-Match', etag).responseType('blob');

  it('contains the files of the extension, which browsers load', async () => {
    const { text } = await ada.open(PATH).expect(200);
    const { body, headers } = await download(ada).expect(200);

    const files = await unzipped(Buffer.from(body as Buffer));
    expect(text).toContain(`href="${FILE}"`);
    expect(headers['content-type']).toBe('application/zip');
    expect(headers['content-disposition']).toMatch(/filename="satchel-extension-[\d.]+\.zip"$/);
    expect(Object.keys(files)).toContain('_locales/en/messages.json');
    for (const [name, content] of Object.entries(files)) {
      expect([name, content]).toEqual([name, readFileSync(join('extension', name), 'utf8')]);
    }
  });

  it('has the same bytes each time, so a browser need not load it again', async () => {
    const other = await aTestApp();
    const bob = await aVisitor(other);
    const [first, second] = [await download(ada).expect(200), await download(bob).expect(200)];
    const etag = first.headers['etag'] ?? '';
    await other.close();

    expect(Buffer.from(second.body as Buffer).equals(Buffer.from(first.body as Buffer))).toBe(true);
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    await download(ada, etag).expect(304);
    await download(ada, '"x"').expect(200);
  });

  it('requires a login', async () => {
    const answer = await new PageVisitor(app).open(FILE).expect(303);

    expect(answer.headers['location']).toMatch(/^\/auth\/login\?next=/);
  });
});
