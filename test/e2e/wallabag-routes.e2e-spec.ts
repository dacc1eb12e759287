import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import request, { type Response } from 'supertest';

import { sendRaw } from '../support/account-api.js';
import { until } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';
import { WallabagCalls, WAYS } from '../support/wallabag-calls.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Members = Readonly<Record<string, unknown>>;

interface Route {
  readonly method: Method;
  /** The path as the controller declares it. */
  readonly path: string;
  readonly members?: Members;
  /** The expected status; 200 by default. */
  readonly status?: number;
}

const PAGE = 'https://example.com/nets';
const OTHER = 'https://example.com/sails';
const URLS = JSON.stringify([OTHER]);
const TAGGED = JSON.stringify([{ url: PAGE, tags: 'x' }]);
const RANGES = [{ start: '/p[1]', startOffset: 0, end: '/p[1]', endOffset: 4 }];

/** All calls except exports, whose names have file extensions. */
const ROUTES: readonly Route[] = [
  { method: 'get', path: 'api/version' },
  { method: 'get', path: 'api/info' },
  { method: 'get', path: 'api/user' },
  { method: 'put', path: 'api/user', status: 403 },
  { method: 'get', path: 'api/config' },
  { method: 'get', path: 'api/entries' },
  { method: 'get', path: 'api/search', members: { term: 'nets' } },
  { method: 'get', path: 'api/entries/exists', members: { url: PAGE } },
  { method: 'get', path: 'api/entries/:entry' },
  { method: 'post', path: 'api/entries', members: { url: PAGE, tags: 'a,b', starred: 1 } },
  { method: 'patch', path: 'api/entries/:entry', members: { archive: 1, title: 'Else' } },
  { method: 'patch', path: 'api/entries/:entry/reload', status: 304 },
  { method: 'delete', path: 'api/entries/:entry', members: { expect: 'id' } },
  { method: 'post', path: 'api/entries/lists', members: { urls: URLS } },
  { method: 'delete', path: 'api/entries/list', members: { urls: URLS } },
  { method: 'post', path: 'api/entries/tags/lists', members: { list: TAGGED } },
  { method: 'delete', path: 'api/entries/tags/list', members: { list: TAGGED } },
  { method: 'get', path: 'api/tags' },
  { method: 'get', path: 'api/entries/:entry/tags' },
  { method: 'post', path: 'api/entries/:entry/tags', members: { tags: 'c' } },
  { method: 'delete', path: 'api/entries/:entry/tags/:tag' },
  { method: 'delete', path: 'api/tag/label', members: { tag: 'one' } },
  { method: 'delete', path: 'api/tags/label', members: { tags: 'one,two' } },
  { method: 'delete', path: 'api/tags/:tag' },
  { method: 'get', path: 'api/annotations/:entry' },
  { method: 'post', path: 'api/annotations/:entry', members: { quote: 'n', ranges: RANGES } },
  { method: 'put', path: 'api/annotations/:annotation', members: { text: 'Note' } },
  { method: 'delete', path: 'api/annotations/:annotation' },
  { method: 'get', path: 'oauth/v2/token' },
  { method: 'post', path: 'oauth/v2/token' },
];
const NAMED = ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

let app: TestApp;
let calls: WallabagCalls;
let numbers: Readonly<Record<string, number>>;
let token: string;
let login: Members;
let isUnchanged = false;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

/** Creates a list with one entry, two tags and an annotation. Reuses the previous list if a route only read it. */
async function anEntryFor({ method, path }: Pick<Route, 'method' | 'path'>): Promise<void> {
  const isRead = method === 'get' && path !== 'oauth/v2/token';
  if (!isUnchanged) {
    await anEntry();
  }
  isUnchanged = isRead;
}

async function anEntry(): Promise<void> {
  calls = await WallabagCalls.of(app);
  const api = await WallabagApi.of(app);
  const { email: username, password } = calls.v3.user;
  login = { ...api.credentials, grant_type: 'password', username, password };
  token = (await api.tokens(calls.v3.user)).access_token;
  const { id, tags } = await calls.saved({ url: PAGE, tags: 'one,two', content: '<p>nets</p>' });
  const { body } = await calls.call('post', `annotations/${id}`, { quote: 'nets' }).expect(200);
  numbers = { entry: id, tag: tags[0]!.id, annotation: Number(body.id) };
}

/** The sent page is parsed in the background. */
async function hasItsText(): Promise<void> {
  const shown = () => calls.call('get', `entries/${numbers['entry']}`, {}, 'query');
  await until(async () => (await shown()).text.includes('<p>nets</p>'), 'the sent text');
}

const pathOf = ({ path }: Route): string =>
  `/wallabag/${path.replaceAll(/:(\w+)/g, (_, name: string) => String(numbers[name]))}`;

const membersOf = ({ path, members = {} }: Route): Members =>
  path === 'oauth/v2/token' ? login : members;

/** The parts of an answer that are equal for two identical lists. */
const shapeOf = ({ status, body }: Response): unknown => [
  status,
  typeof body === 'object' && body !== null ? Object.keys(body as object).sort() : body,
];

async function send(route: Route, suffix: string, way: (typeof WAYS)[number]): Promise<Response> {
  await anEntryFor(route);
  if (route.path.endsWith('reload')) {
    await hasItsText();
  }
  const call = request(app.url)
    [route.method](`${pathOf(route)}${suffix}`)
    .set('Authorization', `Bearer ${token}`);
  const members = membersOf(route);
  const texts = Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  if (way === 'query') {
    return call.query(texts);
  }
  return way === 'json' ? call.send(members) : call.type('form').send(texts);
}

/** Returns the routes that controllers declare below the base path, without pages. */
function declaredRoutes(): string[] {
  const controllers = [...app.app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  return [...new Set(controllers)].flatMap((controller) => {
    const base = String(Reflect.getMetadata(PATH_METADATA, controller));
    return Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object))
      .map(({ value }) => value as object)
      .filter((handler) => typeof handler === 'function')
      .filter((handler) => Reflect.hasMetadata(METHOD_METADATA, handler))
      .filter(() => /^wallabag\/(api|oauth)/.test(base))
      .map((handler) => {
        const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
        const path = `${base}/${String(Reflect.getMetadata(PATH_METADATA, handler))}`;
        return `${RequestMethod[method].toLowerCase()} ${path.replace(/\/+$/, '').slice('wallabag/'.length)}`;
      });
  });
}

it('the table contains every declared route except exports', () => {
  const known = declaredRoutes().filter((route) => !route.includes('export'));

  expect(known.toSorted()).toEqual(NAMED.map(([name]) => name).toSorted());
});

describe.each(NAMED)('%s', (_, route) => {
  it('returns the same with and without .json, and for JSON, form and query parameters', async () => {
    const answers: unknown[] = [];
    for (const way of WAYS) {
      answers.push(shapeOf(await send(route, '', way)));
    }
    answers.push(shapeOf(await send(route, '.json', 'json')));

    const { status = 200 } = route;
    expect(answers[0]).toEqual([status, expect.anything()]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('accepts an empty JSON body, CORS preflights and HEAD', async () => {
    await anEntryFor(route);
    const path = pathOf(route);
    const texts = new URLSearchParams(
      Object.entries(membersOf(route)).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );

    const preflight = await request(app.url)
      .options(`${path}.json`)
      .set('Origin', 'https://app.example.org')
      .set('Access-Control-Request-Method', route.method.toUpperCase())
      .set('Access-Control-Request-Headers', 'authorization,content-type');
    const head =
      route.method === 'get' && !path.endsWith('token')
        ? await request(app.url)
            .head(`${path}?${texts.toString()}`)
            .set('Authorization', `Bearer ${token}`)
        : undefined;
    const empty = await sendRaw(app, {
      method: route.method.toUpperCase(),
      path: `${path}?${texts.toString()}`,
      headers: ['Content-Type', 'application/json', 'Authorization', `Bearer ${token}`],
      body: '',
    });

    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
      204,
      '*',
    ]);
    expect(preflight.headers['access-control-allow-methods']).toContain(route.method.toUpperCase());
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization,content-type');
    expect(head?.status ?? 200).toBe(200);
    expect(empty.status).toBe(route.status ?? 200);
  });
});

it('the extension of an export is not removed like the suffix .json', async () => {
  await anEntry();
  await hasItsText();

  const [entry, json] = [
    await calls.call('get', `entries/${numbers['entry']}.json`, {}, 'query'),
    await calls.call('get', `entries/${numbers['entry']}/export.json`, {}, 'query'),
  ];

  expect([entry.status, json.status]).toEqual([200, 200]);
  expect(json.body).toEqual([entry.body]);
});
