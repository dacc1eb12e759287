import request, { type Response, type Test } from 'supertest';

import { UserRepository } from '../../src/auth/user.repository.js';
import { parseDocument } from '../../src/lib/extraction/dom.js';
import { LISTS, Publisher } from '../support/list-publisher.js';
import { headingOf, shownText } from '../support/page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

let app: TestApp;
let ada: Publisher;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await Publisher.of(app);
});

/** Opens a page as a visitor without an account. */
const visit = (path: string, headers: Record<string, string> = {}): Test =>
  request(app.url)
    .get(path)
    .set({ Accept: 'text/html', ...headers });

/** The stable parts of an answer. */
const shapeOf = ({ status, text, headers }: Response): object => ({
  ...{ status, text, names: Object.keys(headers).toSorted() },
  caching: headers['cache-control'],
});

describe('an address without a public page', () => {
  let missing: object;

  beforeEach(async () => {
    missing = shapeOf(await visit('/shared/lists/00000000000000000000000000000000'));
    expect(missing).toMatchObject({ status: 404, caching: 'no-store' });
  });

  it('is gone as soon as the user turns the page off, even for a browser that knows the page', async () => {
    const path = await ada.publish({ address: 'my-sea' });
    const { etag = '' } = (await visit(path).expect(200)).headers as { etag?: string };

    await ada.save({ address: 'my-sea' });

    expect(shapeOf(await visit(path, { 'If-None-Match': etag }))).toEqual(missing);
    await visit(`${path}.atom`).expect(404);
    expect((await visit(path)).headers['set-cookie']).toBeUndefined();
    const next = await ada.publish();
    expect(next).not.toBe(path);
  });

  it.each([
    [
      'of a disabled user',
      () => app.app.get(UserRepository).update({ id: ada.api.user.id }, { disabledAt: new Date() }),
    ],
    [
      'of a deleted user',
      () => app.database.query('DELETE FROM users WHERE id = $1', [ada.api.user.id]),
    ],
    [
      'of a list with unknown conditions',
      () =>
        app.database.query(
          `UPDATE saved_lists SET conditions = conditions || '{"mood": "calm"}' WHERE user_id = $1`,
          [ada.api.user.id],
        ),
    ],
    ['of a deleted list', () => deleteList()],
    [
      'of a list that another page has moved away from',
      () => ada.publish({ address: 'elsewhere-now' }),
    ],
  ])('is the same page as the one %s', async (_, change) => {
    const path = await ada.publish();
    await visit(path).expect(200);

    await change();

    expect(shapeOf(await visit(path))).toEqual(missing);
  });

  it.each(['a', 'UPPER%20CASE', '%00', '%ff', 'x'.repeat(61), 'a.b', '..%2f', "'--"])(
    'is an error without a failure: %s',
    async (address) => {
      const { status } = await visit(`/shared/lists/${address}`);

      expect([400, 404]).toContain(status);
    },
  );

  const deleteList = async (): Promise<void> => {
    const form = await ada.visitor.form(ada.editPath, `${LISTS}/delete`);
    await ada.visitor.submit(form).expect(303);
  };

  it('is public again if the list is restored, and leaves no row if the list is purged', async () => {
    const path = await ada.publish({ address: 'restored-sea' });
    await deleteList();
    const token = await ada.visitor.csrfToken();
    await ada.visitor.post(`${LISTS}/restore`, { _csrf: token, id: ada.id }).expect(303);
    await visit(path).expect(200);

    await deleteList();
    await app.database.query(
      `UPDATE saved_lists SET deleted_at = now() - interval '2 hours' WHERE user_id = $1`,
      [ada.api.user.id],
    );
    await ada.visitor.post(`${LISTS}/delete`, { _csrf: token, id: ada.id }).expect(303);

    expect(
      await app.database.query('SELECT FROM public_lists WHERE user_id = $1', [ada.api.user.id]),
    ).toEqual([]);
  });

  it('can be chosen again by the user whose deleted list has it', async () => {
    await ada.publish({ address: 'again-sea' });
    await deleteList();
    const form = await ada.visitor.form('/list?tag=sea', LISTS);
    await ada.visitor.submit(form, { name: 'Second' }).expect(303);
    const { text } = await ada.visitor.open(LISTS).expect(200);
    const id = /lists\/edit\?id=([\da-f-]+)/.exec(text)?.[1] ?? '';
    const second = await ada.visitor.form(`${LISTS}/edit?id=${id}`, `${LISTS}/public`);

    await ada.visitor.submit(second, { public: '1', address: 'again-sea' }).expect(303);

    expect(headingOf(await visit('/shared/lists/again-sea').expect(200))).toBe('Second');
  });
});

describe('the address of a deleted list', () => {
  it('is free for other users when the list can no longer be restored', async () => {
    const eve = await Publisher.of(app, 'Land');
    await ada.publish({ address: 'left-sea' });
    const form = await ada.visitor.form(ada.editPath, `${LISTS}/delete`);
    await ada.visitor.submit(form).expect(303);

    expect((await eve.save({ public: '1', address: 'left-sea' })).status).toBe(400);
    await app.database.query(
      `UPDATE saved_lists SET deleted_at = now() - interval '61 minutes' WHERE user_id = $1`,
      [ada.api.user.id],
    );

    expect(await eve.publish({ address: 'left-sea' })).toBe('/shared/lists/left-sea');
    expect(headingOf(await visit('/shared/lists/left-sea').expect(200))).toBe('Land');
  });
});

describe('a chosen address', () => {
  it('ignores upper and lower case, and keeps its settings in the form', async () => {
    const path = await ada.publish({ address: ' My-Sea-1 ', notes: '1' });

    expect(path).toBe('/shared/lists/my-sea-1');
    await visit('/shared/lists/MY-SEA-1').expect(200);
    const { text } = await ada.visitor.open(ada.editPath).expect(200);
    expect(text).toContain('value="my-sea-1"');
    expect(text).toMatch(/name="notes" value="1" checked/);
    expect(text).not.toMatch(/name="indexed" value="1" checked/);
  });

  it.each([
    ['ab', '3 to 60 letters'],
    ['x'.repeat(61), '3 to 60 letters'],
    ['with space', '3 to 60 letters'],
    ['meer-über', '3 to 60 letters'],
    ['a/b', '3 to 60 letters'],
    ['<b>bold</b>', '3 to 60 letters'],
    ['Admin', 'does not allow this address'],
  ])('is not %j', async (address, reason) => {
    const answer = await ada.save({ public: '1', address });

    expect(answer.status).toBe(400);
    expect(shownText(answer, '[role=alert]')).toContain(reason);
    expect(parseDocument(answer.text).body.querySelector('#address')?.getAttribute('value')).toBe(
      address,
    );
  });

  it('belongs to exactly one of the users who choose it at the same time', async () => {
    const others = await Promise.all([1, 2, 3].map(() => Publisher.of(app)));
    const publishers = [ada, ...others];

    const answers = await Promise.all(
      publishers.map((one) => one.save({ public: '1', address: 'wanted-by-all' })),
    );

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      303, 400, 400, 400,
    ]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(shownText(refused, '[role=alert]')).toContain('Another list has this address');
    await visit('/shared/lists/wanted-by-all').expect(200);
  });

  it('belongs to a list of the user alone', async () => {
    const eve = await Publisher.of(app);
    const token = await eve.visitor.csrfToken();

    await eve.visitor
      .post(`${LISTS}/public`, { _csrf: token, id: ada.id, public: '1', address: 'not-hers' })
      .expect(404);
    await ada.visitor.post(`${LISTS}/public`, { id: ada.id, public: '1' }).expect(403);

    await visit('/shared/lists/not-hers').expect(404);
  });
});

describe('the limit per network address', () => {
  it('counts pages and feeds, found or not', async () => {
    const limited = await aTestApp({ config: { limits: { ...NO_LIMITS, sharedPerAddress: 3 } } });
    try {
      const statuses: number[] = [];
      for (const path of ['aaa', 'bbb.atom', 'ccc', 'ddd']) {
        statuses.push((await request(limited.url).get(`/shared/lists/${path}`)).status);
      }
      expect(statuses).toEqual([404, 404, 404, 429]);
    } finally {
      await limited.close();
    }
  });
});
