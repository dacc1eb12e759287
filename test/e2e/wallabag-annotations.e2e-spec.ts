import { exportCall } from '../support/export-call.js';
import { ImportApi } from '../support/import-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { type Entry, WallabagCalls, WAYS } from '../support/wallabag-calls.js';

const PAGE = 'https://example.com/nets';
const QUOTE = 'mend their nets';
const RANGES = [{ start: '/p[1]', startOffset: 3, end: '/p[1]', endOffset: 18 }];

let app: TestApp;
let calls: WallabagCalls;
let id: number;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
});
afterAll(() => app.close());
beforeEach(async () => {
  calls = await WallabagCalls.of(app);
  const content = '<p>They mend their nets in the morning, and sail at noon.</p>';
  ({ id } = await calls.saved({ url: PAGE, content }));
});

const marked = async (members: object, way?: (typeof WAYS)[number]) =>
  (await calls.call('post', `annotations/${id}`, { ...members }, way).expect(200)).body;
const entry = async (): Promise<Entry> =>
  (await calls.call('patch', `entries/${id}`).expect(200)).body as Entry;
const inV3 = async () => (await calls.v3.items({ annotations: 1 }))[0];

describe('a wallabag annotation', () => {
  it.each(WAYS)('is returned as sent, and is in the entry (%s)', async (way) => {
    const ranges = way === 'json' ? RANGES : [{ ...RANGES[0], startOffset: '3' }];
    const body = await marked({ text: 'How?', quote: QUOTE, ranges }, way);

    expect(body).toEqual({
      ...{ id: expect.any(Number), text: 'How?', quote: QUOTE, ranges: RANGES },
      ...{ user: calls.v3.user.name, annotator_schema_version: 'v1.0' },
      ...{ created_at: expect.any(String), updated_at: expect.any(String) },
    });
    expect((await entry()).annotations).toEqual([body]);
    expect((await inV3())?.annotations).toMatchObject([{ quote: QUOTE }]);
  });

  it('is shown in the reader at its quote, with its note', async () => {
    await marked({ text: 'How?', quote: QUOTE, ranges: RANGES });
    const visitor = await aVisitor(app, calls.v3.user);

    const { text } = await visitor.open(`/read/${(await inV3())?.item_id}`).expect(200);

    expect(text).toMatch(/<mark[^>]*><a[^>]*>mend their nets<\/a><\/mark>/);
    expect(text).toContain('How?');
  });

  it('of a v3 client is returned too, and can be changed and deleted', async () => {
    const { item_id } = (await inV3())!;
    const annotation = { annotation_id: `v3-${id}-${item_id}`, quote: 'sail at noon', patch: 'p' };
    await calls.v3.sent({ action: 'add_annotation', item_id, annotation, time: 1_763_800_000 });
    const [shown] = (await entry()).annotations as [{ id: number }];
    expect(shown).toMatchObject({ quote: 'sail at noon', text: '', ranges: [] });

    const put = await calls.call('put', `annotations/${shown.id}`, { text: 'At last' }).expect(200);

    expect(put.body).toMatchObject({ ...shown, text: 'At last', updated_at: expect.any(String) });
    expect((await inV3())?.annotations).toMatchObject([
      { ...annotation, created_at: '2025-11-22 08:26:40' },
    ]);
    const gone = await calls.call('delete', `annotations/${shown.id}`).expect(200);
    expect(gone.body).toEqual(put.body);
    expect((await entry()).annotations).toEqual([]);
  });

  it.each(WAYS)('can get another or an empty note, and nothing else changes (%s)', async (way) => {
    const made = await marked({ text: 'How?', quote: QUOTE, ranges: RANGES });
    const put = async (text: string) =>
      (await calls.call('put', `annotations/${made.id}`, { text, quote: 'x' }, way).expect(200))
        .body;

    expect(await put('Else')).toMatchObject({ id: made.id, text: 'Else', quote: QUOTE });
    expect(await put('')).toMatchObject({ id: made.id, text: '', ranges: RANGES });
    expect((await entry()).annotations).toHaveLength(1);
  });

  it.each([
    [{}, { text: '', quote: '', ranges: [] }],
    [
      { quote: 'x'.repeat(10_000), text: 7 },
      { text: '7', ranges: [] },
    ],
    [{ quote: 'a \ud83d\ude00 "<b>', ranges: [{ startOffset: 0, endOffset: '9' }] }, { text: '' }],
  ])('can have no quote or no ranges (%#)', async (members, expected) => {
    expect(await marked(members)).toMatchObject(expected);
    expect((await entry()).annotations).toMatchObject([expected]);
    const visitor = await aVisitor(app, calls.v3.user);
    await visitor.open(`/read/${(await inV3())?.item_id}`).expect(200);
    await visitor.open('/highlights').expect(200);
  });

  it.each([
    [{ quote: 'x'.repeat(10_001) }, /quote must be/],
    [{ quote: 'x', text: 'x'.repeat(20_001) }, /text must be/],
    [{ quote: 'x', ranges: 'x' }, /ranges must be/],
    [{ quote: 'x', ranges: 5 }, /ranges must be/],
    [{ quote: 'x', ranges: [1] }, /ranges must be/],
    [{ quote: 'x', ranges: [{ ...RANGES[0], endOffset: -1 }] }, /ranges must be/],
    [{ quote: 'x', ranges: [{ ...RANGES[0], start: {} }] }, /ranges must be/],
    [{ quote: 'x', ranges: [{ ...RANGES[0], end: 'x'.repeat(1001) }] }, /ranges must be/],
    [{ quote: 'x', ranges: Array.from({ length: 101 }, () => RANGES[0]) }, /ranges must be/],
    [{ quote: 'x', ranges: JSON.stringify([{ ...RANGES[0], start: '\0' }]) }, /U\+0000/],
    [{ quote: 'x', ranges: JSON.stringify([{ ...RANGES[0], end: '\ud800' }]) }, /surrogate/],
    [{ quote: 'x', ranges: '['.repeat(30_000) }, /nested deeper/],
  ])('is rejected with a reason if invalid, and changes nothing (%#)', async (members, reason) => {
    const before = await calls.everything();

    const { body } = await calls.call('post', `annotations/${id}`, { ...members }).expect(400);

    expect(body.message).toMatch(reason);
    expect(await calls.everything()).toEqual(before);
  });

  it('is deleted by one of two concurrent calls, and then returns 404', async () => {
    const { id: number } = await marked({ quote: QUOTE });

    const both = await Promise.all([1, 2].map(() => calls.call('delete', `annotations/${number}`)));

    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    await calls.call('put', `annotations/${number}`, { text: 'x' }).expect(404);
    await calls.call('put', 'annotations/x', { text: 'x' }).expect(404);
    expect((await entry()).annotations).toEqual([]);
  });
});

describe('an annotation that is exported and imported', () => {
  const MEMBERS = [
    { text: 'How?', quote: QUOTE, ranges: RANGES },
    { text: 'Without words', ranges: RANGES },
    { text: 'Without a place' },
    { quote: 'sail at noon' },
  ];

  /** Returns the annotations without list-specific members. */
  const kept = async (of: WallabagCalls): Promise<unknown[]> => {
    const { body } = await of.call('get', 'entries', {}, 'query').expect(200);
    const [{ annotations } = { annotations: [] }] = body._embedded.items as Entry[];
    return (annotations as object[]).map((one) => ({ ...one, id: 0, user: '' }));
  };

  it('keeps its ranges, its note and its times in JSON lines', async () => {
    for (const members of MEMBERS) {
      await marked(members);
    }
    const other = await WallabagCalls.of(app);
    const { body } = await exportCall(app, calls.v3, { format: 'jsonl' }).expect(200);

    const imports = new ImportApi(app, other.v3);
    const job = await imports.imported(body as Buffer);

    expect(job).toMatchObject({ added: 1, incomplete: 0 });
    const there = await kept(other);
    expect(there).toHaveLength(MEMBERS.length);
    expect(there).toEqual(expect.arrayContaining(await kept(calls)));
    expect(await imports.imported(body as Buffer)).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await kept(other)).toHaveLength(MEMBERS.length);
  });

  it('keeps its ranges in a wallabag export', async () => {
    await marked({ text: 'How?', quote: QUOTE, ranges: RANGES });
    const other = await WallabagCalls.of(app);
    const { body } = await calls.call('get', `entries/${id}/export.json`, {}, 'query').expect(200);

    await new ImportApi(app, other.v3).imported(JSON.stringify(body));

    expect(await kept(other)).toEqual(await kept(calls));
  });

  it.each([
    [[{ ...RANGES[0], start: '/x'.repeat(501) }], 1],
    [Array.from({ length: 101 }, () => RANGES[0]), 1],
    [[{ ...RANGES[0], endOffset: -1 }], 0],
    [[RANGES[0], { start: '/p[1]' }], 0],
    ['/p[1]', 0],
  ])('is imported without invalid or too long ranges (%#)', async (ranges, incomplete) => {
    const other = await WallabagCalls.of(app);
    const line = JSON.stringify({ url: PAGE, annotations: [{ quote: QUOTE, ranges }] });

    const job = await new ImportApi(app, other.v3).imported(`{"satchel":1}\n${line}`);

    expect(job).toMatchObject({ added: 1, incomplete });
    expect(await kept(other)).toMatchObject([{ quote: QUOTE, ranges: [] }]);
  });
});

it('returns the whole content that a wallabag client sends, without scripts', async () => {
  const content = `<h2>Part</h2>${'<p>A long line of the story, with many words in it.</p>'.repeat(20)}
    <div class="share"><p>Last words<script>alert(1)</script></p></div><img src="/a.png">`;
  const members = { url: 'https://example.com/sent', title: 'Sent', content, language: 'de_AT' };
  const more = { authors: 'Ada Nordin, Jon Holm', published_at: '1709942400' };

  const saved = await calls.saved({ ...members, ...more });

  expect(saved.content).toMatch(
    /^<h2 id="part-Part">Part<\/h2><p>A long line[^]*Last words[^]*example.com\/a.png/,
  );
  expect(saved.content).not.toContain('alert');
  expect(saved).toMatchObject({ title: 'Sent', published_by: ['Ada Nordin', 'Jon Holm'] });
  expect(saved).toMatchObject({ language: expect.stringMatching(/^de/) });
  expect(saved).toMatchObject({ published_at: expect.stringContaining('2024-03-09') });
  const other = await calls.saved({ url: members.url, content: 'Only <b>this</b>' });
  expect(other).toMatchObject({ id: saved.id, content: 'Only <b>this</b>', title: 'Sent' });
  const page = '<html><head><title>Whole</title></head><body><p>All of it</p></body></html>';
  const { body } = await calls.call('patch', `entries/${saved.id}`, { content: page }, 'form');
  expect(body).toMatchObject({ id: saved.id, content: expect.stringContaining('All of it') });
});
