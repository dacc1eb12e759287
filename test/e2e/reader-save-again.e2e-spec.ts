import request, { type Test } from 'supertest';

import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { formIn, locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const URL_TO_SAVE = 'https://a.example/';
/** Noon on 3 May 2023 in Unix seconds. */
const MAY = Date.UTC(2023, 4, 3, 12) / 1000;

let app: TestApp;
let api: OAuthApi;

beforeAll(async () => {
  app = await aTestApp();
  api = await OAuthApi.of(app);
});
afterAll(() => app.close());

const post = (path: string, token: string, members: object): Test =>
  request(app.url)
    .post(path)
    .send({ consumer_key: api.key, access_token: token, ...members });

/** Saves the address in May, and another address a second later. */
async function savedInMay(visitor: PageVisitor): Promise<{ id: string; token: string }> {
  const token = await api.accessToken(visitor);
  const added = await post('/v3/add', token, { url: URL_TO_SAVE, time: MAY }).expect(200);
  await post('/v3/add', token, { url: 'https://newer.example/', time: MAY + 1 }).expect(200);
  return { id: String(added.body.item.item_id), token };
}

/** Saves the address as if it were typed into the address bar. Returns the address of the result. */
const savedAgain = async (visitor: PageVisitor): Promise<string> =>
  locationOf(
    await visitor.open(`/save?url=${URL_TO_SAVE}`).set('Sec-Fetch-Site', 'none').expect(303),
  );

describe('saving an address again', () => {
  it('shows the date of the earlier save, and moves the item to the top', async () => {
    const ada = await aVisitor(app);
    const { id } = await savedInMay(ada);

    const page = await ada.open(await savedAgain(ada)).expect(200);

    expect(shownText(page, '.notice')).toBe(
      'Already in your list since 3 May 2023. Moved to the top.',
    );
    expect(shownText(page)).not.toContain('Undo save');
    expect((await ada.open('/list')).text).toMatch(
      new RegExp(`/read/${id}".*newer\\.example`, 's'),
    );
    const form = formIn(page, '/list/actions');
    const tagged = await ada.submit(form, { tags: 'sea' }).expect(303);
    expect(shownText(await ada.open(locationOf(tagged)))).toContain('Already in your list since');
  });

  it('says that an archived item was moved to the list', async () => {
    const ada = await aVisitor(app);
    const { id, token } = await savedInMay(ada);
    const actions = [{ action: 'archive', item_id: id }];
    await post('/v3/send', token, { actions }).expect(200);

    const page = await ada.open(await savedAgain(ada)).expect(200);

    expect(shownText(page, '.notice')).toBe(
      'Already in your archive, saved on 3 May 2023. Moved to the top of your list.',
    );
  });

  it('is not reported to API clients', async () => {
    const ada = await aVisitor(app);
    const { token } = await savedInMay(ada);
    const action = { action: 'add', url: URL_TO_SAVE };

    const added = await post('/v3/add', token, { url: URL_TO_SAVE }).expect(200);
    const sent = await post('/v3/send', token, { actions: [action] }).expect(200);

    expect(added.text + sent.text).not.toMatch(/before|since/i);
  });

  it.each(['', '-1', '0', '1e9', '99999999999', '<b>', '1&since=2'])(
    'shows the usual page without "Undo save" for the invalid time %j in the address',
    async (since) => {
      const ada = await aVisitor(app);
      const { id } = await savedInMay(ada);

      const page = await ada.open(`/save/done?item=${id}&since=${since}`).expect(200);

      expect(shownText(page)).not.toContain('Already in your list');
      expect(shownText(page)).not.toContain('Undo save');
      expect(shownText(page)).toContain('Delete');
    },
  );
});

describe('"Undo save"', () => {
  it('is shown for a new item, also after its tags change', async () => {
    const ada = await aVisitor(app);

    const page = await ada.open(await savedAgain(ada)).expect(200);
    const tagged = await ada.submit(formIn(page, '/list/actions'), { tags: 'sea' }).expect(303);

    expect(shownText(page)).toContain('Undo save');
    expect(shownText(await ada.open(locationOf(tagged)))).toContain('Undo save');
  });

  it.each(['', '&new=1', '&new=0', `&new=1&since=${MAY}`])(
    'is not shown for an item from May, whatever the address says: %j',
    async (facts) => {
      const ada = await aVisitor(app);
      const { id } = await savedInMay(ada);

      const page = await ada.open(`/save/done?item=${id}${facts}`).expect(200);

      expect(shownText(page)).not.toContain('Undo save');
      expect(shownText(page)).toContain('Delete');
    },
  );

  it('is not shown for a new item if the address says that the item was saved before', async () => {
    const ada = await aVisitor(app);

    const page = await ada.open(`${await savedAgain(ada)}&since=${MAY}`).expect(200);

    expect(shownText(page)).not.toContain('Undo save');
  });
});
