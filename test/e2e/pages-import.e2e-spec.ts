import { aVisitor } from '../support/oauth-api.js';
import { headingOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { linkOf } from '../support/shown-list.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

const upload = async (visitor: PageVisitor, file: string, name = 'saved.txt') => {
  const { action, fields } = await visitor.form('/account/data', '/account/import');
  return visitor.agent
    .post(action)
    .field('_csrf', fields['_csrf'] ?? '')
    .attach('file', Buffer.from(file), name);
};

/** Reloads the page of an import until it no longer refreshes itself. */
async function endOf(visitor: PageVisitor, path: string) {
  for (;;) {
    const page = await visitor.open(path).expect(200);
    if (page.headers['refresh'] === undefined) {
      return page;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('importing a file on the account page', () => {
  it('redirects to a page with the row counts, which offers the row errors as CSV', async () => {
    const begun = await upload(ada, 'https://example.com/a\nno address\nhttps://example.com/b\n');
    expect(begun.status).toBe(303);
    const path = begun.headers['location'] ?? '';

    const page = await endOf(ada, path);

    expect(headingOf(page)).toBe('Import of saved.txt');
    expect(shownText(page)).toMatch(/Done 3 of 3 rows Added 2 .*Rejected 1/);
    expect(shownText(page, 'dl')).not.toContain('0');
    // Some items can be in the archive.
    expect(linkOf(page, 'Open your list')).toBe('/list?state=all');
    expect(shownText(await ada.open('/account/data'))).toContain('saved.txt');
    const remarks = await ada.open(`${path}/remarks`).expect(200);
    expect(remarks.headers['content-disposition']).toMatch(
      /^attachment; filename="import-\d+.csv"$/,
    );
    expect(remarks.text).toContain('The line contains no web address.');
  });

  it('shows the detected format, the reason for it, and the columns that are not imported', async () => {
    const begun = await upload(ada, 'url,Summary\nhttps://example.com/a,short\n', 'saved.csv');

    const page = await endOf(ada, begun.headers['location'] ?? '');

    expect(shownText(page)).toContain('Recognized as csv, because it has the column `url`.');
    expect(shownText(page)).toContain('Not imported: column `Summary` (1 row)');
  });

  it('undoes an import after a page that shows the counts', async () => {
    const begun = await upload(ada, 'https://example.com/a\nhttps://example.com/b\n');
    const path = begun.headers['location'] ?? '';
    const done = await endOf(ada, path);
    expect(linkOf(done, 'Undo this import')).toBe(`${path}/undo`);
    expect(shownText(done)).toMatch(/You can undo this import until \S+/);

    const question = await ada.open(`${path}/undo`).expect(200);
    expect(headingOf(question)).toBe('Undo this import?');
    expect(shownText(question, 'dl')).toBe('Items removed 2');
    expect(shownText(await ada.open('/list?state=all'))).toContain('example.com');

    await ada.submit(await ada.form(`${path}/undo`, `${path}/undo`)).expect(303);
    const undone = await endOf(ada, path);
    expect(shownText(undone)).toMatch(/Undone .*Added 2 Items removed 2/);
    expect(shownText(undone)).not.toContain('Undo this import');
    expect(shownText(await ada.open('/list?state=all'))).not.toContain('example.com');
    expect(shownText(await ada.open('/account/activity'))).toContain('Import undone');
    await ada.open(`${path}/undo`).expect(409);
  });

  it('refuses the undo of strangers, without the CSRF token, and when it is too late', async () => {
    const begun = await upload(ada, 'https://example.com/a\n');
    const path = begun.headers['location'] ?? '';
    await endOf(ada, path);
    const eve = await aVisitor(app);
    await eve.open(`${path}/undo`).expect(404);
    await eve.post(`${path}/undo`, { _csrf: await eve.csrfToken() }).expect(404);
    await ada.post(`${path}/undo`, { _csrf: 'x' }).expect(403);
    await ada.open('/account/imports/x/undo').expect(404);

    await app.database.query(
      `UPDATE imports SET undo_until = now() WHERE user_id = ${ada.user.id}`,
    );
    const late = await ada.post(`${path}/undo`, { _csrf: await ada.csrfToken() });
    expect(late.status).toBe(409);
    expect(shownText(late)).toContain('only within 24 hours after its end');
    expect(shownText(await ada.open(path))).not.toContain('Undo this import');
    expect(shownText(await ada.open('/list?state=all'))).toContain('example.com');
  });

  it('shows an error for an unknown format and for a missing file', async () => {
    const begun = await upload(ada, '\u0001\u0002\u0003', 'noise');
    const page = await endOf(ada, begun.headers['location'] ?? '');
    expect(shownText(page)).toContain('Failed. The file is no export that can be imported');

    const { action, fields } = await ada.form('/account/data', '/account/import');
    const refused = await ada.agent.post(action).field('_csrf', fields['_csrf'] ?? '');
    expect(refused.status).toBe(400);
    expect(shownText(refused)).toContain('Select a file');
  });

  it('requires the CSRF token, and shows imports only to their owner', async () => {
    const begun = await upload(ada, 'https://example.com/a\n');
    const path = begun.headers['location'] ?? '';
    const forged = await ada.agent
      .post('/account/import')
      .field('_csrf', 'x')
      .attach('file', Buffer.from('https://example.com/forged\n'), 'x.txt');
    expect(forged.status).toBe(403);

    const eve = await aVisitor(app);
    await eve.open(path).expect(404);
    await eve.open(`${path}/remarks`).expect(404);
    expect(shownText(await eve.open('/account/data'))).not.toContain('saved.txt');
  });
});
