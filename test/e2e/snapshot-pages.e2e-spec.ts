import { brotliCompressSync } from 'node:zlib';

import { aVisitor } from '../support/oauth-api.js';
import { formIn, type PageVisitor, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const HTML =
  `<!doctype html><title>Page</title><style>@import "https://x.example/a.css"; p { color: red }</style>` +
  `<meta http-equiv="refresh" content="0;url=https://x.example/"><base href="https://x.example/">` +
  `<script>alert(1)</script><svg onload="alert(1)"></svg><iframe srcdoc="<script>alert(1)</script>"></iframe>` +
  `<form action="https://x.example/"><p style="background:url(https://x.example/b)">Words</p></form>` +
  `<img src="${PIXEL}"><img src="https://x.example/c">`;
const SAFE =
  `<title>Page</title><style>  p { color: red }</style><svg></svg>` +
  `<form><p style="background:url()">Words</p></form><img src="${PIXEL}" /><img />`;

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;
let itemId: string;
let id: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
  itemId = await api.saved('https://example.com/page', { title: 'The page' });
  id = await stored();
});

async function stored(html = HTML): Promise<string> {
  const { body } = await api.post('/v3/snapshot', { item_id: itemId, html }).expect(200);
  return body.snapshot_id as string;
}

describe('a snapshot', () => {
  it('is linked from the page of its item, and in the list of snapshots', async () => {
    const article = await visitor.open(`/read/${itemId}`).expect(200);
    const list = await visitor.open('/snapshots').expect(200);

    expect(article.text).toContain(`href="/snapshots/${id}"`);
    expect(shownText(article)).toContain('Snapshot of ');
    expect(list.text).toContain(`href="/snapshots/${id}"`);
    expect(shownText(list)).toContain('The page');
  });

  it('is shown in a frame without scripts and without the origin of the service', async () => {
    const { text, headers } = await visitor.open(`/snapshots/${id}`).expect(200);

    expect(text).toContain(`<iframe class="snapshot" src="/snapshots/${id}/content"`);
    expect(text).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(headers['content-security-policy']).toContain(`;frame-src 'self'`);
    expect(text).not.toContain('Words');
  });

  it('is a safe document with a policy that allows nothing from outside', async () => {
    const { text, headers } = await visitor.open(`/snapshots/${id}/content`).expect(200);

    expect(text).toMatch(
      /^<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security/,
    );
    expect(text.endsWith(SAFE)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; font-src data:; ` +
        `style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  it('is safe if it is long', async () => {
    const long = await stored(`${HTML}${'<p>Words</p>'.repeat(20_000)}`);

    const { text } = await visitor.open(`/snapshots/${long}/content`).expect(200);

    expect(text).toContain(`${SAFE}<p>Words</p>`);
  });

  it('is not stored with more elements than any page', async () => {
    const html = '<'.repeat(500_001);

    const { headers } = await api.post('/v3/snapshot', { item_id: itemId, html }).expect(413);

    expect(headers['x-error']).toBe('The page has too many elements for a snapshot.');
  });

  it('can be downloaded as a safe file', async () => {
    const { text, headers } = await visitor.open(`/snapshots/${id}/download`).expect(200);

    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="snapshot-\d{4}-\d\d-\d\d\.html"$/,
    );
    expect(text.endsWith(SAFE)).toBe(true);
  });

  it('is deleted only after a question', async () => {
    for (const path of ['/snapshots', `/snapshots/${id}`]) {
      const page = await visitor.open(path).expect(200);
      expect(page.text).toContain(`<a href="/snapshots/${id}/delete"`);
      expect(page.text).not.toContain(`action="/snapshots/${id}/delete"`);
    }

    const question = await visitor.open(`/snapshots/${id}/delete`).expect(200);

    expect(shownText(question)).toContain('Delete this snapshot? The page Snapshot of ');
    expect(shownText(question)).toContain('You cannot restore this snapshot afterwards.');
    expect(question.text).toContain(`<a class="button" href="/snapshots/${id}">Cancel</a>`);
    await visitor.open(`/snapshots/${id}/content`).expect(200);
  });

  it('can be deleted, and a second time', async () => {
    const form = formIn(await visitor.open(`/snapshots/${id}/delete`), `/snapshots/${id}/delete`);

    for (let time = 0; time < 2; time += 1) {
      const { headers } = await visitor.submit(form).expect(303);
      expect(headers['location']).toBe('/snapshots?done=snapshot-deleted');
    }

    expect(shownText(await visitor.open('/snapshots?done=snapshot-deleted'))).toContain(
      'Snapshot deleted. Snapshots You have no snapshots.',
    );
    await visitor.open(`/snapshots/${id}/content`).expect(404);
  });

  it('does not exist for other users, and not for visitors who are not logged in', async () => {
    const bob = await ReadingListApi.of(app);
    const other = await aVisitor(app, bob.user);

    for (const path of ['', '/content', '/download', '/delete']) {
      await other.open(`/snapshots/${id}${path}`).expect(404);
    }
    const _csrf = await other.csrfToken();
    await other.post(`/snapshots/${id}/delete`, { _csrf }).expect(303);

    expect(shownText(await other.open('/snapshots'))).not.toContain('The page');
    await visitor.open(`/snapshots/${id}/content`).expect(200);
  });

  it.each(['x', '1', '0b6f3c1e-7d3c-4a57-9d4e-0a5c7f1b2c3d', '%00', "'"])(
    'with the id %s does not exist',
    async (wrong) => {
      for (const path of ['', '/content', '/download', '/delete']) {
        await visitor.open(`/snapshots/${wrong}${path}`).expect(404);
      }
    },
  );

  it('is not shown if it was stored without the limits, and is too deep', async () => {
    await app.database.query('UPDATE snapshots SET html = $2 WHERE snapshot_id = $1', [
      id,
      brotliCompressSync('<b>'.repeat(600)),
    ]);

    const page = await visitor.open(`/snapshots/${id}/content`).expect(422);

    expect(shownText(page)).toContain('This snapshot has too many elements to be shown.');
  });

  it('is not shown while its item is deleted', async () => {
    await visitor.post('/list/actions', {
      _csrf: await visitor.csrfToken(),
      action: 'delete',
      back: '/list',
      'item[]': [itemId],
    });

    await visitor.open(`/snapshots/${id}`).expect(404);
    await visitor.open(`/snapshots/${id}/content`).expect(404);
    expect(shownText(await visitor.open('/snapshots'))).toContain('You have no snapshots.');
  });
});

it('lists 50 snapshots per page', async () => {
  await app.database.query(
    `INSERT INTO snapshots (user_id, snapshot_id, item_id, html, bytes)
     SELECT $1, gen_random_uuid(), $2, '', 1 FROM generate_series(1, 50)`,
    [api.user.id, itemId],
  );

  const [first, second] = [
    await visitor.open('/snapshots').expect(200),
    await visitor.open('/snapshots?page=2').expect(200),
  ];

  expect(first.text).toContain('href="/snapshots?page=2"');
  expect(first.text.match(/\/download"/g)).toHaveLength(50);
  expect(second.text.match(/\/download"/g)).toHaveLength(1);
  expect(second.text).not.toContain('page=3');
});

it('is only in the ZIP with snapshots, as the page for exports says', async () => {
  const other = await aVisitor(app, (await ReadingListApi.of(app)).user);

  const page = await visitor.open('/account/data').expect(200);

  expect(shownText(page)).toContain(
    'Only the ZIP with pictures and snapshots contains your snapshots (1). You can also download each snapshot separately.',
  );
  expect(page.text).toContain(
    '<a href="/snapshots">You can also download each snapshot separately</a>',
  );
  expect(shownText(await other.open('/account/data'))).not.toContain('your snapshots');
});
