import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import request, { type Response } from 'supertest';

import { AccountApi, cookieOf, setCookieOf } from '../support/account-api.js';
import { formOf, OAuthApi } from '../support/oauth-api.js';
import { consentPath, formIn, headingOf, PageVisitor } from '../support/page-visitor.js';
import { PictureSite } from '../support/picture-site.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { SubPathProxy } from '../support/sub-path-proxy.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PREFIX = '/satchel';
const REGISTRATION = { name: 'Ada', password: 'a long pass phrase' };

let site: PictureSite;
let proxy: SubPathProxy;
let app: TestApp;
/** The proxy's host and the service below its path, as a browser sees them. */
let host: TestApp;
let below: TestApp;

beforeAll(async () => {
  site = await PictureSite.served();
  proxy = await SubPathProxy.listening(PREFIX);
  app = await aTestApp({
    config: {
      publicUrl: new URL(`${proxy.url}/`),
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
  proxy.target = app.url;
  host = { ...app, url: proxy.origin };
  below = { ...app, url: proxy.url };
});
afterAll(async () => {
  proxy.stop();
  await app.close();
  await site.stop();
});

interface Found {
  readonly attribute: string;
  readonly address: string;
}

const ATTRIBUTES = /\s(href|src|action|formaction)="([^"]*)"/g;
const ELSEWHERE = /^(?:#|javascript:|data:|https?:)/;

/** Returns the addresses in an HTML page, except those of other sites. */
const ownAddresses = (html: string): Found[] =>
  Array.from(html.matchAll(ATTRIBUTES), ([, attribute = '', address = '']) => ({
    attribute,
    address: address.replaceAll('&amp;', '&').replace(proxy.origin, ''),
  })).filter(({ address }) => !ELSEWHERE.test(address));

/** Matches the addresses in a web app manifest. */
const MANIFEST_PATHS = /"(?:id|src|start_url|scope|action|url)":"(\/[^"]*)"/g;

function foundIn({ type, text, headers }: Response): Found[] {
  const location: string | undefined = headers['location'];
  return [
    ...(type === 'text/html' ? ownAddresses(text) : []),
    ...(type === 'application/manifest+json'
      ? Array.from(text.matchAll(MANIFEST_PATHS), ([, address = '']) => ({
          attribute: '',
          address,
        }))
      : []),
    ...(location === undefined ? [] : [{ attribute: 'location', address: location }]),
  ];
}

/** Follows all links recursively. Collects the answers by address. */
class Crawler {
  readonly answers = new Map<string, number>();
  readonly strays = new Set<string>();
  readonly actions = new Set<string>();
  private readonly shapes = new Set<string>();

  constructor(private readonly visitor: PageVisitor) {}

  async follow(from: string): Promise<void> {
    const waiting = [from];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      waiting.push(...(await this.visit(next)));
    }
  }

  /** Visits one page per template: `/read/1` and `/read/2` are equivalent. */
  private async visit(address: string): Promise<string[]> {
    const [path = ''] = address.split('#');
    const shape = path.replaceAll(/\/\d+|after=[^&]*/g, '0');
    if (this.shapes.has(shape)) {
      return [];
    }
    this.shapes.add(shape);
    const answer = await this.visitor.open(path);
    this.answers.set(path, answer.status);
    const next = [];
    for (const { attribute, address: found } of foundIn(answer)) {
      if (!isBelow(found)) {
        this.strays.add(`${path}: ${attribute} ${found}`);
      } else if (attribute === 'action') {
        this.actions.add(found);
      } else {
        next.push(found);
      }
    }
    return next;
  }
}

const isBelow = (address: string): boolean =>
  address === PREFIX || address.startsWith(`${PREFIX}/`);

describe.each([
  ['keeps', false],
  ['takes off', true],
])('Satchel behind a proxy that %s the path', (_, takesOff) => {
  let api: ReadingListApi;
  let visitor: PageVisitor;

  beforeAll(async () => {
    proxy.takesOff = takesOff;
    visitor = new PageVisitor(host);
    const email = `crawler-${String(takesOff)}@example.com`;
    const asked = await visitor.open(`${PREFIX}/auth/register`).expect(200);
    const form = formIn(asked, `${PREFIX}/auth/register`);
    const registered = await visitor
      .post(form.action, { ...form.fields, ...REGISTRATION, email })
      .expect(303);
    expect(registered.headers['location']).toBe(`${PREFIX}/list`);
    const user = await new AccountApi(below).loggedIn({ email, ...REGISTRATION });
    api = await ReadingListApi.of(below, { user: { ...user, id: '0', ...REGISTRATION } });
  });

  const open = (path: string) => visitor.open(`${PREFIX}${path}`);

  /** Submits a form of a page with these values. */
  async function submit(page: string, action: string, fields: Record<string, string>) {
    const form = formIn(await open(page).expect(200), `${PREFIX}${action}`);
    return visitor.post(form.action, { ...form.fields, ...fields });
  }

  it('every page links only to working pages, pictures, scripts and forms of the service', async () => {
    const url = site.article(`walk-${String(takesOff)}`, '/photo.jpg');
    const id = await api.saved(url, { tags: 'garden' });
    await api.post('/v3beta/text', { url }).expect(200);
    const highlight = { quote: 'Every plain sentence' };
    await submit(`/read/${id}`, `/read/${id}/highlights`, highlight);
    const made = await submit('/account/devices', '/account/feeds', {});
    expect(made.headers['location']).toBe(`${PREFIX}/account/devices?done=feeds`);
    const crawler = new Crawler(visitor);

    for (const start of [
      '/',
      '/offline',
      '/docs',
      '/saves',
      `/a/read/${id}`,
      '/save?url=b.example&ask=1',
    ]) {
      await crawler.follow(`${PREFIX}${start}`);
    }

    expect([...crawler.strays]).toEqual([]);
    const failures = [...crawler.answers].filter(([, status]) => status >= 400);
    expect(failures).toEqual([]);
    const pages = [...crawler.answers.keys()].map((path) => path.slice(PREFIX.length));
    expect(pages).toEqual(
      expect.arrayContaining([
        ...['/', '/list', '/save', '/account', '/highlights', '/list/tags/all', `/read/${id}`],
        ...[
          '/manifest.webmanifest',
          expect.stringMatching(/^\/pages\/style\.[\da-f]{10}\.css$/),
          expect.stringMatching(/^\/pages\/offline\.[\da-f]{10}\.js$/),
          '/pages/icon-512.png',
        ],
        ...['/docs/swagger-ui.css', '/docs/start.js', expect.stringMatching(/^\/images\/thumb/)],
        ...[expect.stringMatching(/^\/images\/\d/), expect.stringMatching(/^\/feeds\/.*\.atom$/)],
      ]),
    );
    for (const action of crawler.actions) {
      const sent = await visitor.post(action, {});
      const asked = await visitor.open(action);
      expect([action, sent.status === 404 && asked.status]).not.toEqual([action, 404]);
    }
  });

  it('the login redirects to the requested page, but not to another site', async () => {
    const stranger = new PageVisitor(host);
    const asked = await stranger.open(`${PREFIX}/list?tag=a`).expect(303);
    expect(asked.headers['location']).toBe(`${PREFIX}/auth/login?next=%2Flist%3Ftag%3Da`);

    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example/', `/.//evil`]) {
      const query = new URLSearchParams({ next }).toString();
      const answer = await open(`/auth/login?${query}`).expect(303);
      expect(answer.headers['location']).toBe(`${PREFIX}/list`);
    }
    const page = await stranger.open(`${PREFIX}//evil.example/%2e%2e`);
    expect([page.status, page.headers['location']]).toEqual([404, undefined]);
  });

  it('a form that is sent without a session is kept in the login form', async () => {
    const late = new PageVisitor(host);
    const kept = await late
      .post(`${PREFIX}/save`, { url: 'https://late.example/' })
      .set('Origin', host.url);

    expect(headingOf(kept)).toBe('Log in');
    expect(formIn(kept, `${PREFIX}/auth/login`).fields['kept']).toContain('"action":"/save"');
  });

  it('the consent page redirects to the address of the application', async () => {
    const oauth = await OAuthApi.of(below);
    const code = await oauth.code({ redirect_uri: 'https://app.example/back' });
    const path = consentPath(code, 'https://app.example/back');
    const form = formIn(await open(path).expect(200), `${PREFIX}/auth/authorize`);

    const answer = await visitor.post(form.action, {
      ...form.fields,
      decision: 'authorized',
    });

    expect(answer.headers['location']).toBe('https://app.example/back');
    const token = formOf(await oauth.authorize({ code }).expect(200));
    expect(token).toMatchObject({ access_token: expect.any(String) });
  });

  it('errors of the API keep their format', async () => {
    const answer = await request(app.url).post(`${PREFIX}/v3/get`).send({}).expect(400);
    expect(answer.headers['x-error-code']).toBe('138');
    const login = await request(app.url).post(`${PREFIX}/login`).send({}).expect(401);
    expect(login.body).toMatchObject({ statusCode: 401 });
  });
});

describe('Satchel below a path', () => {
  it('the session cookie is limited to the path', async () => {
    const api = new AccountApi(below);
    const login = await api.login(await api.registered()).expect(200);

    expect(setCookieOf(login)).toMatch(/^session=s%3Av1\.[^;]+; Path=\/satchel; /);
    expect(setCookieOf(login)).toMatch(/HttpOnly; SameSite=Lax$/);
  });

  it('logging out deletes the session cookie, but no other data of the host', async () => {
    const { cookie } = await new AccountApi(below).signedIn();
    const page = await request(below.url).get('/account').set('Cookie', cookie).expect(200);
    const form = formIn(page, `${PREFIX}/auth/leave`);
    const kept = cookieOf(page) || cookie;

    const left = await request(host.url)
      .post(form.action)
      .set('Cookie', kept)
      .type('form')
      .send(form.fields)
      .expect(303);

    expect(left.headers['clear-site-data']).toBeUndefined();
    expect(setCookieOf(left)).toMatch(/^session=; Path=\/satchel; Expires=Thu, 01 Jan 1970/);
  });

  it.each([
    '/satchels/list',
    '/Satchel/list',
    '/satchel%2Flist',
    '/satchel/satchel/list',
    '/x/satchel/list',
  ])('%s returns 404', async (path) => {
    const { status } = await request(app.url).get(path);

    expect(status).toBe(404);
  });

  it.each(['', PREFIX])('routes an absolute URL by its path: http://home.example%s', async (at) => {
    const statuses: unknown[] = [];
    for (const path of ['/auth/login', '/list?x=1', '?x=1', '//list']) {
      const asked = get(app.url, { path: `http://home.example${at}${path}` });
      const [answer]: IncomingMessage[] = await once(asked, 'response');
      statuses.push(answer?.resume().statusCode);
    }
    expect(statuses).toEqual([200, 303, 200, 404]);
  });

  it('the API documentation and the service worker use addresses with the path', async () => {
    const { body } = await request(app.url).get(`${PREFIX}/openapi.json`).expect(200);
    expect(body.servers).toEqual([{ url: PREFIX }]);
    const { text } = await request(app.url).get(`${PREFIX}/docs/start.js`).expect(200);
    expect(text).toContain(`url: '/satchel/openapi.json'`);
    const worker = await request(app.url).get(`${PREFIX}/service-worker.js`).expect(200);
    expect(worker.text).toMatch(/^import '\.\/pages\/service-worker\.[\da-f]{10}\.js';$/m);
  });
});
