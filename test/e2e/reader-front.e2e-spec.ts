import request from 'supertest';

import { unmaskToken } from '../../src/web/masked-token.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, headingOf, PageVisitor } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

describe('old links', () => {
  it.each([
    ['/saves', '/list'],
    ['/a/read/123', '/read/123'],
  ])('redirect to the current page: %s', async (path, place) => {
    const answer = await request(app.url).get(path).expect(301);

    expect(answer.headers['location']).toBe(place);
  });

  it.each(['/a/read/x', '/a/read/0', '/a/read/%2f%2fevil.example', `/a/read/${'1'.repeat(30)}`])(
    'return 404 if their id is invalid: %s',
    async (path) => {
      await request(app.url).get(path).expect(404);
    },
  );
});

describe('share addresses of other services', () => {
  const page = 'https://example.org/a?b=1&c=%26';
  const [url, title] = [encodeURIComponent(page), encodeURIComponent('Ferns & moss')];

  it.each([
    [`/bookmarklet?url=${url}&title=${title}`],
    [`/bagit?url=${url}&title=${title}`],
    [`/bookmarklet/add?u=${url}&t=${title}`],
    [`/bookmarks/new?url=${url}&title=${title}&auto_close`],
    [`/api/save?url=${url}&title=${title}`],
    [`/share?title=${title}&url=${url}`],
    [`/share?share_url=${url}&share_title=${title}`],
    [`/apps/bookmarks/bookmarklet?url=${url}&title=${title}`],
    [`/?post=${url}&title=${title}&source=FreshRSS`],
    [`/?action=add&url=${url}&title=${title}`],
  ])('open the save page, and save nothing: %s', async (address) => {
    const ada = await aVisitor(app);

    // The header of a typed address is kept across a redirect.
    const typed = { 'Sec-Fetch-Site': 'none' };
    const answer = await ada.open(address).set(typed).expect(302);
    const shown = await ada.open(String(answer.headers['location'])).set(typed).expect(200);

    expect(headingOf(shown)).toBe('Save this page?');
    expect(formIn(shown, '/save').fields).toMatchObject({ url: page, title: 'Ferns & moss' });
    const list = await ada.open('/list').expect(200);
    expect(list.text).not.toContain('example.org');
  });

  it.each(['/bookmarklet', '/bookmarks/new?url=', '/api/save?url[]=x'])(
    'redirect to the empty form if they contain no URL: %s',
    async (address) => {
      const { headers } = await request(app.url).get(address).expect(302);

      expect(headers['location']).toBe('/save');
    },
  );

  it.each(['/?post=', '/?action=add', '/?action=delete&url=https://a.example/'])(
    'are not recognized if they are incomplete or different: %s',
    async (address) => {
      await request(app.url).get(address).expect(200);
    },
  );
});

describe('the web app', () => {
  it('has a manifest whose icons exist', async () => {
    const { body, type } = await request(app.url)
      .get('/manifest.webmanifest')
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.on('data', (part: Buffer) => (text += part.toString()));
        response.on('end', () => {
          done(null, JSON.parse(text));
        });
      })
      .expect(200);

    expect(type).toBe('application/manifest+json');
    for (const { src, type: picture } of body.icons as { src: string; type: string }[]) {
      expect((await request(app.url).get(src).expect(200)).type).toBe(picture);
    }
  });

  it('has a service worker that can fetch from this service, and whose imports exist', async () => {
    const { headers, text, type } = await request(app.url).get('/service-worker.js').expect(200);

    expect([type, headers['cache-control']]).toEqual(['text/javascript', 'no-cache']);
    expect(headers['content-security-policy']).toContain("connect-src 'self'");
    const imported = [...text.matchAll(/import '([^']+)'/g)].map(([, path = '']) => path);
    expect(imported.length).toBeGreaterThan(0);
    for (const path of imported) {
      const { pathname } = new URL(path, `${app.url}/service-worker.js`);
      await request(app.url).get(pathname).expect(200);
    }
  });

  it('shows the same offline page to all users', async () => {
    const ada = await aVisitor(app);
    const [his, hers] = [await new PageVisitor(app).open('/offline'), await ada.open('/offline')];

    expect(headingOf(hers)).toBe('You are offline');
    expect(hers.text).toBe(his.text);
  });
});

describe('GET /list/offline.json', () => {
  it('returns only the items of the user, newest first', async () => {
    const [ada, bob] = [await aVisitor(app), await aVisitor(app)];
    for (const name of ['one', 'two', 'gone']) {
      const link = `/save?url=https://a.example/${name}&title=${name}`;
      await ada.open(link).set('Sec-Fetch-Site', 'none').expect(303);
    }

    const hers = await ada.open('/list/offline.json').expect(200);
    const his = await bob.open('/list/offline.json').expect(200);

    const items = hers.body.items as { title: string }[];
    expect(items.map(({ title }) => title)).toEqual(['gone', 'two', 'one']);
    expect(unmaskToken(String(hers.body.csrfToken))).toBe(unmaskToken(await ada.csrfToken()));
    expect(his.body.items).toEqual([]);
    expect(his.body.user).not.toBe(hers.body.user);
  });

  it('returns 401 without a login', async () => {
    await new PageVisitor(app)
      .open('/list/offline.json')
      .set('Accept', 'application/json')
      .expect(401);
  });
});
