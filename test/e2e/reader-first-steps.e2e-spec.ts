import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { formIn, headingOf, locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const STEPS = '.first-steps';

let app: TestApp;
let api: OAuthApi;

beforeAll(async () => {
  app = await aTestApp();
  api = await OAuthApi.of(app);
});
afterAll(() => app.close());

const stepsOn = async (visitor: PageVisitor, path = '/list'): Promise<string> =>
  shownText(await visitor.open(path).expect(200), STEPS);

/** Returns the list of the visitor as an exported file. */
async function exportOf(visitor: PageVisitor): Promise<string> {
  const form = await visitor.form('/account/data', '/account/export');
  const { body } = await visitor
    .submit(form, { format: 'jsonl', articles: '1' })
    .responseType('blob')
    .expect(200);
  return String(body).trim();
}

/** Creates a feed address. Returns the items of the JSON feeds of the visitor. */
async function feedItemsOf(visitor: PageVisitor): Promise<unknown[]> {
  await visitor.submit(await visitor.form('/account/devices', '/account/feeds')).expect(303);
  const { text } = await visitor.open('/account/devices').expect(200);
  const paths = [...text.matchAll(/href="[^"]*(\/feeds\/[^"]*\.json)"/g)].map(
    ([, path = '']) => path,
  );
  const feeds = await Promise.all(paths.map((path) => visitor.open(path).expect(200)));
  return feeds.map(({ body }): unknown => body.items);
}

describe('the list of a user without items', () => {
  it('shows three first steps, each with a button, and a link to the sample article', async () => {
    const ada = await aVisitor(app);

    const page = await ada.open('/list').expect(200);

    expect(shownText(page, `${STEPS} h2`)).toBe('Your first steps');
    expect([...page.text.matchAll(/<h3>([^<]*)<\/h3>/g)].map(([, title]) => title)).toEqual([
      'Save a page',
      'Bring your list with you',
      'Set up your browser and your phone',
    ]);
    const links = ['/account/data#import', '/account/extension', '/account/phone', '/welcome'];
    for (const href of links) {
      expect(page.text).toContain(`href="${href}"`);
      await ada.open(href).expect(200);
    }
    expect((await ada.open('/account')).text).toContain('id="import"');
  });

  it('saves a page, after which the list shows the page instead of the steps', async () => {
    const ada = await aVisitor(app);
    const form = formIn(await ada.open('/list'), '/save');

    const saved = await ada.submit(form, { url: 'https://a.example/first' }).expect(303);
    const list = await ada.open('/list').expect(200);

    expect(headingOf(await ada.open(locationOf(saved)))).toBe('Saved');
    expect(shownText(list, '.items')).toContain('a.example');
    expect(list.text).not.toContain('first-steps');
    expect(list.text).toContain('href="/account/extension"');
  });

  it('keeps an invalid address, and explains the error', async () => {
    const ada = await aVisitor(app);
    const form = formIn(await ada.open('/list'), '/save');

    const page = await ada.submit(form, { url: 'ferns' }).expect(400);

    expect(formIn(page, '/save').fields['url']).toBe('ferns');
    expect(shownText(page)).toContain('Enter a web address');
  });

  it.each(['/list?state=archive', '/list?state=all', '/list?search=x', '/list?tag=x'])(
    'has the usual message in other views: %s',
    async (path) => {
      const ada = await aVisitor(app);

      expect(await stepsOn(ada, path)).toBe('');
    },
  );

  it('has the usual message if all items are archived', async () => {
    const ada = await aVisitor(app);
    const form = formIn(await ada.open('/list'), '/save');
    const saved = await ada.submit(form, { url: 'https://a.example/' }).expect(303);
    const after = formIn(await ada.open(locationOf(saved)), '/list/actions');
    await ada.post('/list/actions', { ...after.fields, action: 'archive' }).expect(303);

    expect(await stepsOn(ada)).toBe('');
    expect(shownText(await ada.open('/list'), '.nothing')).toContain('You have no unread items');
  });
});

describe('the sample article', () => {
  it('explains the reader, with text settings that work', async () => {
    const ada = await aVisitor(app);
    const page = await ada.open('/welcome').expect(200);
    const form = formIn(page, '/read/appearance');
    const choices = {
      theme: 'sepia',
      size: 'large',
      width: 'wide',
      face: 'sans',
      spacing: 'loose',
    };

    const kept = await ada.submit(form, choices).expect(303);
    const again = await ada.open(locationOf(kept)).expect(200);

    expect(headingOf(page)).toBe('How to read in Satchel');
    expect(shownText(page, 'mark.highlight')).toBe('This sentence is highlighted.');
    expect(locationOf(kept)).toBe('/welcome');
    expect(again.text).toContain('data-theme="sepia" data-size="large" data-width="wide"');
    expect(again.text).toMatch(/name="theme" value="sepia" checked>/);
  });

  it('is shown to visitors without the controls that need an account', async () => {
    const page = await new PageVisitor(app).open('/welcome').expect(200);

    expect(headingOf(page)).toBe('How to read in Satchel');
    expect(page.text).not.toMatch(/<form|<nav aria-label="Satchel"/);
    expect(page.text).toContain('href="/auth/login?next=/welcome"');
  });

  it('is not an item of the list, of exports, feeds, counts and searches', async () => {
    const ada = await aVisitor(app);
    const token = await api.accessToken(ada);
    await ada.open('/welcome').expect(200);

    const { body } = await api.get(token, { state: 'all', total: '1' }).expect(200);
    const search = await ada.open('/list?search=Satchel').expect(200);

    expect(Object.keys(body.list as object)).toEqual([]);
    expect(body.total).toBe('0');
    expect(await exportOf(ada)).toBe('{"satchel":1}');
    expect(await feedItemsOf(ada)).toEqual([[], [], []]);
    expect(shownText(search)).toContain('No items match');
    expect(await app.database.query('SELECT FROM items WHERE user_id = $1', [ada.user.id])).toEqual(
      [],
    );
  });
});
