import type { Response } from 'supertest';

import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { compressedText } from '../../src/lib/util/compressed-text.js';
import { aFetcher } from '../support/a-fetcher.js';
import { aPdf } from '../support/a-pdf.js';
import { aVisitor } from '../support/oauth-api.js';
import { timePasses } from '../support/page-times.js';
import { formIn, headingOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PER_HOUR = 2;
const BRIEFLY = '61 seconds';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WRONG = 'HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nhi';
const WORDS = 'Every plain sentence of this article is there to be read on a small grey screen. ';
const RTL = '\u202e';

let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 60_000, resolverPagesPerHour: PER_HOUR },
    fetcher: aFetcher(host),
  });
});
afterAll(async () => {
  await app.close();
  await host.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
});

const addressOf = (name: string): string => host.url(`/${name}-${api.user.id}`);

async function opened(name: string): Promise<{ id: string; page: Response }> {
  const id = await api.saved(addressOf(name));
  return { id, page: await visitor.open(`/read/${id}`).expect(200) };
}

describe('an item without an article', () => {
  it.each<[string, Buffer, string, RegExp]>([
    ['a.png', PNG, 'image/png', /This is a picture\./],
    [
      'a.mp4',
      Buffer.from('0000'),
      'video/mp4',
      /a video or audio recording\. Open the original page/,
    ],
    ['a.pdf', aPdf('<< /Title (Tides) >>', 'BT ET'), 'application/pdf', /This is a PDF document/],
    ['a.zip', Buffer.from('PK00'), 'application/zip', /Satchel found no text on this page\./],
  ])('is shown with a note about its type: %s', async (name, body, type, words) => {
    host.answer(ok(body, `Content-Type: ${type}`));

    const { page } = await opened(name);

    expect(shownText(page)).toMatch(words);
    expect(shownText(page)).toContain('Open original page');
    expect(page.text).toContain(`href="${addressOf(name)}" rel="noopener noreferrer"`);
    expect(headingOf(page)).not.toBe('');
    const [, picture] = /<img class="first-picture" src="(\/images\/[^"]+)"/.exec(page.text) ?? [];
    expect(picture !== undefined).toBe(type === 'image/png');
    expect(page.text).not.toMatch(/<(?:video|audio|iframe|embed|object)/);
  });

  it('is shown as a link that names its type: an audio recording', async () => {
    host.answer(ok(Buffer.from('0000'), 'Content-Type: audio/mpeg'));

    const { page } = await opened('a.mp3');

    expect(shownText(page)).toContain('Audio recording: a.mp3');
    expect(page.text).toContain(`href="${addressOf('a.mp3')}" rel="noopener noreferrer"`);
    expect(page.text).not.toMatch(/<(?:video|audio|iframe|embed|object)/);
  });
});

describe('a PDF with text', () => {
  it('is shown as an article and can be found by its words', async () => {
    const text = 'BT /F 10 Tf 50 750 Td (Wandering minnows of the estuary.) Tj ET';
    host.answer(ok(aPdf('<< /Title (Tides) >>', text), 'Content-Type: application/pdf'));

    const { id, page } = await opened('b.pdf');

    expect(headingOf(page)).toBe('Tides');
    expect(shownText(page)).toContain('Wandering minnows of the estuary.');
    await until(async () => {
      const [found] = await api.items({ q: 'minnow' });
      return found?.item_id === id;
    });
  });
});

describe('another attempt to fetch a page', () => {
  const attempts = async (id: string, times: number): Promise<Response> => {
    const page = await visitor.open(`/read/${id}`).expect(200);
    const answers = [];
    for (let n = 0; n < times; n += 1) {
      answers.push(await visitor.submit(formIn(page, `/read/${id}/retry`)).expect(303));
    }
    return visitor.open(String(answers.at(-1)?.headers['location'])).expect(200);
  };

  it('is made at most once a minute and within the hourly quota of the user', async () => {
    host.answer(WRONG);
    const { id } = await opened('wrong');
    const asked = host.heads.length;

    const early = await attempts(id, 3);
    expect(host.heads).toHaveLength(asked);
    expect(shownText(early, '[role=status]')).toContain('Try again in a minute');

    await timePasses(app.database, BRIEFLY);
    await attempts(id, 3);
    expect(host.heads).toHaveLength(2 * asked);

    await timePasses(app.database, BRIEFLY);
    await attempts(id, 3);
    await timePasses(app.database, BRIEFLY);
    await attempts(id, 3);
    expect(host.heads).toHaveLength(PER_HOUR * asked);
  });

  it('is not made for an article that was fetched', async () => {
    host.answer(ok(`<title>A</title><article><p>${WORDS.repeat(20)}</article>`));
    const { id, page } = await opened('there');
    const { fields } = formIn(page, `/read/${id}/position`);
    const asked = host.heads.length;
    await timePasses(app.database, BRIEFLY);
    await app.database.query(`UPDATE pages SET fetched_at = fetched_at - interval '1 hour'`);

    await visitor.post(`/read/${id}/retry`, fields).expect(303);

    expect(host.heads).toHaveLength(asked);
  });
});

const HOSTILE = `<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
  <link rel="stylesheet" href="https://evil.example/x.css"><style>main { display: none }</style>
  <form id="place-form" action="https://evil.example/"><input id="highlight-form" name="_csrf" value="x"><button>Go</button></form>
  <svg id="reading" onload="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)"><text>svg</text></a></svg>
  <math><mtext><img src=x onerror=alert(4)></mtext></math>
  <p id="article-text" name="fraction" class="brand" style="position:fixed" data-mark="note" data-key="a">Clobbered</p>
  <a id="selection-bar" href="&#106;avascript:alert(5)">one</a><a href=" java\tscript:alert(6)">two</a>
  <a href="data:text/html,<script>alert(7)</script>">three</a><a href="vbscript:x">four</a><a href="//evil.example/">five</a>
  <object data="https://evil.example/"></object><embed src="https://evil.example/"><noscript><p title="</noscript><img src=x onerror=alert(8)>"></noscript>
  <template><img src=x onerror=alert(9)></template><textarea></textarea><img src=x onerror=alert(10)></textarea>
  <p title='"><script>alert(11)</script>'>${RTL}Backwards<!--><img src=x onerror=alert(12)>--></p>`;

describe('an article with malicious markup', () => {
  const stored = async (id: string, html: string): Promise<Response> => {
    await app.database.query(
      `UPDATE pages SET article = $1 FROM items WHERE items.resolved_id = page_id AND items.item_id = $2`,
      [await compressedText(html), id],
    );
    return visitor.open(`/read/${id}`).expect(200);
  };
  const textIn = ({ text }: Response): string =>
    /id="article-text"[^>]*>(.*)<\/div>\s*<\/article>/s.exec(text)![1]!;
  const LIVE =
    /<(?:base|meta|link|style|form|input|button|svg|mglyph|annotation-xml|maction|script|object|embed|template|textarea)|(?:javascript|vbscript|data):[^"]*"|src="(?!\/images\/)|\s(?:on\w+|style|name|class|data-\w+)=|\sid="(?!p-\d)/i;

  it('is shown only as text and links, even if malicious HTML is stored', async () => {
    host.answer(ok(`<title>A</title><article>${HOSTILE}<p>${WORDS.repeat(20)}</p></article>`));
    const { id, page } = await opened('harm');

    expect(textIn(page)).toContain('Every plain sentence');
    expect(textIn(page)).not.toMatch(LIVE);
    const raw = textIn(await stored(id, HOSTILE));
    expect(raw).toContain('Clobbered');
    expect(raw).toContain(`${RTL}Backwards`);
    expect(raw.replaceAll(/ title="[^"]*"/g, '')).not.toMatch(LIVE);
  });

  it('is shown with its title, author and site as text', async () => {
    const name = `</h1><script>alert(1)</script>${RTL}gpj.exe`;
    const escaped = name.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    host.answer(
      ok(`<title>${escaped}</title><meta name="author" content="${escaped}"><meta property="og:site_name" content="${escaped}">
        <article><p>${WORDS.repeat(20)}</article>`),
    );

    const { page } = await opened('names');

    expect(headingOf(page)).toContain('<script>alert(1)</script>');
    expect(page.text).toMatch(/<h1 dir="auto">/);
    expect(page.text).not.toMatch(/<script>/);
  });

  it('can have thousands of pictures and links, and 10,000 nested elements', async () => {
    host.answer(ok(`<title>A</title><article><p>${WORDS.repeat(20)}</article>`));
    const { id } = await opened('huge');
    const many = (piece: (at: number) => string, count: number): string =>
      Array.from({ length: count }, (_, at) => piece(at)).join('');

    const page = await stored(
      id,
      [
        many((at) => `<img src="https://evil.example/${at}.png">`, 5000),
        many((at) => `<a href="https://other.example/${at}">${at}</a> `, 5000),
        `${'<div><blockquote><b>'.repeat(10_000)}Deep${'</b></blockquote></div>'.repeat(10_000)}`,
        '<ul><li>'.repeat(10_000),
        '<p>Last.</p>',
      ].join(''),
    );

    expect(textIn(page)).toContain('Last.');
    expect(textIn(page)).toContain('href="https://other.example/4999" rel="noopener noreferrer"');
    expect(textIn(page)).not.toContain('evil.example');
    await visitor.open(`/read/${id}/markdown`).expect(200);
  });
});

/** The background job would delete these rows. The trigger lets only the account's deletion remove them. */
const STAYS_DUE = `
  CREATE FUNCTION stays_due() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RETURN CASE WHEN pg_trigger_depth() > 1 THEN OLD END; END $$;
  CREATE TRIGGER stays_due BEFORE DELETE ON due_texts FOR EACH ROW EXECUTE FUNCTION stays_due()`;

it('the deletion of an account deletes all reader data of the user', async () => {
  host.answer(ok(`<title>A</title><article><p>${WORDS.repeat(20)}</article>`));
  const { id, page } = await opened('gone');
  const { fields } = formIn(page, `/read/${id}/position`);
  await visitor.post(`/read/${id}/position`, { ...fields, percent: '50' }).expect(303);
  await visitor
    .submit(formIn(page, `/read/${id}/highlights`), { quote: 'Every plain' })
    .expect(303);
  const look = { theme: 'dark', size: 'large', width: 'wide', face: 'sans', spacing: 'loose' };
  await visitor.submit(formIn(page, '/read/appearance'), look).expect(303);
  await visitor.submit(await visitor.form('/account/devices', '/account/feeds')).expect(303);
  const deleted = await api.saved(addressOf('deleted'));
  await visitor
    .post('/list/actions', { ...fields, action: 'delete', 'item[]': deleted, back: '/list' })
    .expect(303);
  await app.database.query(
    `INSERT INTO item_texts (user_id, item_id, added_order, language, words) VALUES ($1, $2, 1, '', '')
     ON CONFLICT DO NOTHING`,
    [api.user.id, id],
  );
  await app.database.query(STAYS_DUE);
  await app.database.query(
    `INSERT INTO due_texts (user_id, item_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    [api.user.id, id],
  );
  const tables = await app.database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_name)
     WHERE columns.table_schema = 'public' AND column_name = 'user_id' AND table_type = 'BASE TABLE'`,
  );
  const tablesWithRows = async (): Promise<string[]> => {
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await app.database.query(`SELECT FROM ${name} WHERE user_id = $1 LIMIT 1`, [
          api.user.id,
        ]);
        return rows.length > 0 ? [name] : [];
      }),
    );
    return found.flat();
  };
  expect(await tablesWithRows()).toEqual(
    expect.arrayContaining([
      ...['annotations', 'deleted_items', 'due_texts', 'feed_accesses', 'item_texts'],
      ...['reader_preferences', 'reading_positions'],
    ]),
  );

  await app.app.get(UserAdministrationService).delete(api.user.email);

  // The entry that the operator has deleted the account.
  expect(await tablesWithRows()).toEqual(['audit_entries']);
});
