import type { Response } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor } from './oauth-api.js';
import { formIn } from './page-visitor.js';
import { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

export type Reader = Awaited<ReturnType<typeof aVisitor>> & {
  readonly api: ReadingListApi;
  readonly ids: readonly string[];
};

/** Creates a reader with three items: `a`, `b` and `c`. */
export async function aReader(app: TestApp): Promise<Reader> {
  const api = await ReadingListApi.of(app);
  const visitor = await aVisitor(app, api.user);
  const added = ['a', 'b', 'c'].map((name, at) => ({
    ...{ action: 'add', url: `https://example.com/${name}`, title: name },
    ...{ tags: `${name},all`, time: 1_700_000_000 + at },
  }));
  await api.send(added).expect(200);
  const items = await api.items({ sort: 'oldest' });
  return Object.assign(visitor, { api, ids: items.map(({ item_id: id }) => id) });
}

export const locationOf = ({ headers }: Response): string => String(headers['location']);

/** Submits the list form with some items selected. Returns the next page. */
export async function withMarked(reader: Reader, fields: object): Promise<Response> {
  const { fields: secrets } = await reader.form('/list', '/list/actions');
  const answer = await reader.agent
    .post('/list/actions')
    .type('form')
    .send({ _csrf: secrets['_csrf'], back: secrets['back'], ...fields })
    .expect(303);
  return reader.open(locationOf(answer)).expect(200);
}

/** Clicks **Undo** in the notice of a page. Returns the next page. */
export const undo = async (reader: Reader, page: Response): Promise<Response> => {
  const form = formIn(page, '/list/actions');
  const ids = [...parseDocument(page.text).body.querySelectorAll('#undo [name="item[]"]')];
  const { _csrf, action, back } = form.fields;
  const answer = await reader.agent
    .post('/list/actions')
    .type('form')
    .send({ _csrf, action, back, 'item[]': ids.map((input) => input.getAttribute('value')) })
    .expect(303);
  return reader.open(locationOf(answer)).expect(200);
};

/** Returns title, status, favorite and tags of each item, as the API shows them. */
export const seen = async ({ api }: Reader): Promise<string[]> =>
  (await api.items({ state: 'all', sort: 'oldest', detailType: 'complete' })).map((item) =>
    [item.given_title, item.status, item.favorite, Object.keys(item.tags ?? {}).join()].join(' '),
  );
