import type { Response } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { exportCall } from '../support/export-call.js';
import { ImportApi } from '../support/import-api.js';
import { undo, withMarked } from '../support/list-reader.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const HTML = `<title>Lamps</title><article><h1>Lamps</h1>
  ${'<p>The harbour has nine lamps. Each lamp has a keeper who trims it at dusk.</p>'.repeat(8)}
  <p>A light is a promise.</p></article>`;

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;
let id: string;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
  id = await api.saved('https://harbour.example/lamps', { html: HTML });
});

const post = async (path: string, fields: Record<string, string>) =>
  visitor.post(`/read/${id}${path}`, { _csrf: await visitor.csrfToken(), ...fields });

const article = (): Promise<Response> => visitor.open(`/read/${id}`).then((page) => page);

/** Adds a highlight and returns its id. */
async function added(fields: Record<string, string>): Promise<string> {
  const answer = await post('/highlights', { quote: 'nine lamps', ...fields }).then((one) => one);
  return /#highlight-(.*)$/.exec(locationOf(answer))?.[1] ?? `no highlight: ${answer.text}`;
}

/** Returns the texts of the highlights in the article, with their colors. */
const marks = (page: Response): string[] =>
  [...parseDocument(page.text).body.querySelectorAll('#article-text mark.highlight')].map(
    (mark) => `${mark.getAttribute('data-color') ?? ''}: ${mark.textContent}`,
  );

/** Returns the chosen color in each form of the highlights below the article. */
const chosen = (page: Response): (string | null)[] =>
  [...parseDocument(page.text).body.querySelectorAll('#highlights .cards input[checked]')].map(
    (input) => input.getAttribute('value'),
  );

describe('the color of a highlight', () => {
  it('is stored, shown in the article and below it, and changed by the form', async () => {
    const highlight = await added({ color: 'blue', note: 'count them' });

    const page = await article();
    expect(marks(page)).toEqual(['blue: nine lamps']);
    expect(chosen(page)).toEqual(['blue']);
    expect(page.text).toContain(
      `<a href="#note-${highlight}" title="Blue highlight with a note">nine lamps</a>`,
    );
    expect(shownText(page, `#note-${highlight}`)).toContain('Blue');

    const form = formIn(page, `/read/${id}/highlights/note`);
    const fields = { highlight, color: 'pink', note: 'all of them' };
    const saved = await visitor.submit(form, fields).expect(303);
    expect(locationOf(saved)).toBe(`/read/${id}?done=highlight-saved#note-${highlight}`);
    const changed = await article();
    expect(marks(changed)).toEqual(['pink: nine lamps']);
    expect(shownText(changed, `#note-${highlight}`)).toContain('all of them');
  });

  it('is yellow by default, for highlights of the reader and of clients', async () => {
    await added({});
    await api.results({
      ...{ action: 'add_annotation', item_id: id },
      annotation: { annotation_id: 'a1', quote: 'a promise', color: 'green' },
    });

    expect(marks(await article())).toEqual(['yellow: nine lamps', 'yellow: a promise']);
    expect((await api.items({ annotations: 1 }))[0]?.annotations?.[0]).not.toHaveProperty('color');
  });

  it('is kept when a client sends the highlight again, and when only the note changes', async () => {
    const highlight = await added({ color: 'green' });

    await api.results({
      ...{ action: 'add_annotation', item_id: id },
      annotation: { annotation_id: highlight, quote: 'a promise' },
    });
    await post('/highlights/note', { highlight, note: 'changed' });

    expect(marks(await article())).toEqual(['green: a promise']);
  });

  it('changes without the note if the form contains only the color', async () => {
    const highlight = await added({ color: 'green', note: 'mine' });

    await post('/highlights/note', { highlight, color: 'blue' });

    const page = await article();
    expect(marks(page)).toEqual(['blue: nine lamps']);
    expect(shownText(page, '#highlights .note')).toBe('mine');
  });

  it('must be one of the four colors, or nothing changes', async () => {
    const highlight = await added({ color: 'green', note: 'mine' });

    const refused = await post('/highlights', { quote: 'a promise', color: 'red', note: 'typed' });
    expect(refused.status).toBe(400);
    expect(shownText(refused, '[role=alert]')).toContain('Choose one of the colors.');
    expect(refused.text).toMatch(/typed<\/textarea>/);
    const change = await post('/highlights/note', { highlight, color: 'red', note: 'changed' });
    expect(change.status).toBe(400);
    await visitor.open('/highlights?color=red').expect(400);

    const page = await article();
    expect(marks(page)).toEqual(['green: nine lamps']);
    expect(shownText(page, '#highlights .note')).toBe('mine');
  });

  it('of another user cannot be changed', async () => {
    const highlight = await added({ color: 'green' });
    const other = await ReadingListApi.of(app);
    const stranger = await aVisitor(app, other.user);
    const theirs = await other.saved('https://harbour.example/lamps', { html: HTML });
    const _csrf = await stranger.csrfToken();

    for (const item of [id, theirs]) {
      const path = `/read/${item}/highlights`;
      const form = { _csrf, highlight, color: 'blue' };
      await stranger.post(`${path}/note`, form).expect(404);
      await stranger.post(`${path}/delete`, form).expect(404);
    }

    expect(marks(await article())).toEqual(['green: nine lamps']);
  });

  it('is answered with JSON for scripts', async () => {
    const highlight = await added({});
    const _csrf = await visitor.csrfToken();
    const send = (path: string, fields: Record<string, string>) =>
      visitor
        .post(`/read/${id}/highlights${path}`, { _csrf, highlight, ...fields })
        .set('Accept', 'application/json');

    await send('/note', { color: 'pink' }).expect(200);
    expect((await send('/note', { color: 'red' }).expect(400)).type).toBe('application/json');
    expect(marks(await article())).toEqual(['pink: nine lamps']);
    await send('/delete', {}).expect(200);
    expect(marks(await article())).toEqual([]);
  });

  it('of the shorter highlight is shown if highlights overlap', async () => {
    await added({ quote: 'nine lamps', color: 'pink' });
    await added({ quote: 'The harbour has nine lamps.', color: 'blue' });

    expect(marks(await article())).toEqual([
      'blue: The harbour has ',
      'pink: nine lamps',
      'blue: .',
    ]);
  });

  it('survives the trash, also for copies that were made before colors existed', async () => {
    const reader = Object.assign(visitor, { api, ids: [id], user: api.user });
    await added({ color: 'green' });

    await undo(reader, await withMarked(reader, { action: 'delete', 'item[]': [id] }));
    expect(marks(await article())).toEqual(['green: nine lamps']);

    const notice = await withMarked(reader, { action: 'delete', 'item[]': [id] });
    const [deleted] = await app.database.query<{ copy: object }>(
      `SELECT (annotations->0)::jsonb - 'color' AS copy FROM deleted_items WHERE item_id = $1`,
      [id],
    );
    await app.database.query('UPDATE deleted_items SET annotations = $2 WHERE item_id = $1', [
      id,
      JSON.stringify([deleted?.copy]),
    ]);
    await undo(reader, notice);
    expect(marks(await article())).toEqual(['yellow: nine lamps']);
  });

  it('is part of the export as JSON Lines and of its import', async () => {
    await added({ color: 'green' });
    const file = (await exportCall(app, api, { format: 'jsonl' }).expect(200)).body as Buffer;
    const other = await ReadingListApi.of(app);

    await new ImportApi(app, other).imported(file);

    const colors = 'SELECT quote, color FROM annotations WHERE user_id = $1';
    expect(await app.database.query(colors, [other.user.id])).toEqual([
      { quote: 'nine lamps', color: 'green' },
    ]);
  });

  it('filters the page with all highlights, also on its further pages', async () => {
    await added({ quote: 'a promise', color: 'green' });
    await added({ quote: 'nine lamps', color: 'blue' });

    const all = await visitor.open('/highlights').expect(200);
    expect(shownText(all)).toContain('a promise');
    expect(shownText(all)).toContain('nine lamps');
    const green = await visitor.open('/highlights?color=green').expect(200);
    expect(shownText(green, '.cards')).toMatch(/^a promise Green/);
    expect(shownText(green)).not.toContain('nine lamps');
    expect(green.text).toMatch(/data-color="green" aria-current="page"/);
    const pink = await visitor.open('/highlights?color=pink').expect(200);
    expect(shownText(pink)).toContain('You have no highlights in this color.');
  });

  it('stays selected on the next page of the highlights', async () => {
    const annotation = (at: number) => ({ annotation_id: `n${at}`, quote: `lamp ${at}` });
    await api.results(
      ...Array.from({ length: 51 }, (_, at) => ({
        ...{ action: 'add_annotation', item_id: id, time: 1_700_000_000 + at },
        annotation: annotation(at),
      })),
    );

    const first = await visitor.open('/highlights?color=yellow').expect(200);
    const next = /href="([^"]*)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';

    expect(next).toMatch(/^\/highlights\?color=yellow&after=/);
    expect(shownText(await visitor.open(next).expect(200), '.cards')).toMatch(/^lamp 0 Yellow/);
  });
});

describe('the note about an article', () => {
  it('is shown, edited and deleted on the page of the article', async () => {
    const first = await article();
    expect(shownText(first, '#your-note summary')).toBe('Add a note');

    const form = formIn(first, `/read/${id}/note`);
    const saved = await visitor.submit(form, { note: 'For the talk\r\n\r\n& <b>more</b> ' });
    expect(locationOf(saved)).toBe(`/read/${id}?done=note`);
    const page = await article();
    expect(shownText(page, '#your-note .note-text')).toBe('For the talk & <b>more</b>');
    expect(await api.item(id)).toMatchObject({ note: 'For the talk\n\n& <b>more</b>' });
    const file = await visitor.open(`/read/${id}/markdown`).expect(200);
    expect(file.text).toMatch(/## Your note\n\nFor the talk\n\n& \\<b\\>more/);

    const gone = await visitor.submit(form, { note: ' ' }).expect(303);
    expect(shownText(await visitor.open(locationOf(gone)), '.done')).toContain('Note deleted.');
    expect(await api.item(id)).not.toHaveProperty('note');
  });

  it('can have at most 10 KB, and a longer text is not lost', async () => {
    await post('/note', { note: 'before' });
    const longest = 'é'.repeat(5120);

    const refused = await post('/note', { note: `${longest}abc` });

    expect(refused.status).toBe(400);
    expect(shownText(refused, '[role=alert]')).toBe(
      'Note not saved The note is too long. Remove at least 3 characters.',
    );
    expect(refused.text).toContain(`${longest}abc</textarea>`);
    expect(await api.item(id)).toMatchObject({ note: 'before' });
    expect((await post('/note', { note: longest })).status).toBe(303);
    expect(await api.item(id)).toMatchObject({ note: longest });
  });

  it('can be changed only by its user, with a token', async () => {
    const stranger = await aVisitor(app);
    const note = 'theirs';

    await stranger
      .post(`/read/${id}/note`, { _csrf: await stranger.csrfToken(), note })
      .expect(404);
    await visitor.post(`/read/${id}/note`, { note }).expect(403);

    expect(await api.item(id)).not.toHaveProperty('note');
  });
});
