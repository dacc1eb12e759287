import request from 'supertest';

import { PageVisitor } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { SubPathProxy } from '../support/sub-path-proxy.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

interface Place {
  readonly app: TestApp;
  /** The server address as a person types it. */
  readonly address: string;
  close(): Promise<void>;
}

async function atRoot(): Promise<Place> {
  const app = await aTestApp();
  return { app, address: `${app.url}/wallabag/`, close: () => app.close() };
}

const belowPath = (takesOff: boolean) => async (): Promise<Place> => {
  const proxy = await SubPathProxy.listening('/satchel');
  const app = await aTestApp({ config: { publicUrl: new URL(proxy.url) } });
  Object.assign(proxy, { target: app.url, takesOff });
  const close = async (): Promise<void> => {
    proxy.stop();
    await app.close();
  };
  return { app, address: `${proxy.url}/wallabag/`, close };
};

describe.each([
  ['at the root of a host', atRoot],
  ['below a path that the proxy keeps', belowPath(false)],
  ['below a path that the proxy removes', belowPath(true)],
])('a server address with a trailing slash, %s', (_, start) => {
  let place: Place;

  beforeAll(async () => {
    place = await start();
  });
  afterAll(() => place.close());

  it('works for all API calls', async () => {
    const { app, address } = place;
    const v3 = await ReadingListApi.of(app);
    const { credentials } = await WallabagApi.of(app);
    const { email, password } = v3.user;
    const at = request(address);

    const version = await at.get('/api/version.json');
    const login = await at
      .post('/oauth/v2/token')
      .send({ ...credentials, grant_type: 'password', username: email, password });
    const bearer = `Bearer ${String(login.body.access_token)}`;
    const url = 'https://example.com/';
    const saved = await at.post('/api/entries.json').set('Authorization', bearer).send({ url });
    const entry = `/api/entries/${String(saved.body.id)}`;
    const patch = at.patch(`/${entry}.json`).set('Authorization', bearer);
    const changed = await patch.send({ archive: 1 });
    const listed = await at.get('/api/entries?page=1').set('Authorization', bearer);
    const refused = await at.get('/api/entries');
    const asked = await at
      .options('/api/entries')
      .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'PATCH' });
    const deleted = await at.delete(entry).set('Authorization', bearer);

    expect([version.body, saved.status, changed.body.is_archived]).toEqual(['2.6.14', 200, 1]);
    expect([login.status, deleted.status, asked.status]).toEqual([200, 200, 204]);
    expect(asked.headers['access-control-allow-origin']).toBe('*');
    expect(listed.body._embedded.items).toHaveLength(1);
    expect([refused.status, refused.body.error]).toEqual([401, 'access_denied']);
  });

  it('works for the login page, and does not redirect to another host', async () => {
    const page = await new PageVisitor(place.app).open('/wallabag//login').expect(200);
    const elsewhere = await new PageVisitor(place.app).open('/wallabag//evil.example');

    expect(page.text).toContain('/wallabag/login_check');
    expect(elsewhere.status).toBe(404);
  });
});
