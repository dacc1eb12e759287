import type { Response } from 'supertest';

import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { consentPath, headingOf, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const READER = 'https://reader.example/back';
const EVIL = 'https://evil.example/';

let app: TestApp;
let reader: OAuthApi;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp();
  reader = await OAuthApi.of(app);
  ada = await aVisitor(app);
});
afterAll(() => app.close());

const addressOn = (page: Response): string => shownText(page, '.address');
const locationOf = ({ status, headers }: Response): string =>
  `${status} ${String(headers['location'])}`;

describe('a redirect_uri in the link to the consent page', () => {
  it.each([
    ['not_needed', 'https://rss.example/i/?c=pocket'],
    ['/', 'http://127.0.0.1:1880/pocket/callback'],
    ['/import', 'https://wallabag.example/import/pocket/callback'],
    ['localhost:1880/back', 'http://localhost:1880/back'],
    ['https://reader.example', 'https://reader.example/'],
    ['https://reader.example/back/', READER],
    [READER, `${READER}?code=1`],
    [READER, 'https://READER.example:443/elsewhere'],
    ['obsidian://pocket-auth', 'obsidian://pocket-auth/done'],
  ])('is accepted, shown and used: request with %s, link with %s', async (asked, given) => {
    const code = await reader.code({ redirect_uri: asked });

    const page = await ada.open(consentPath(code, given)).expect(200);
    const answer = await ada.answer(code, 'authorized', given);

    expect(addressOn(page)).toBe(new URL(given).href);
    expect(locationOf(answer)).toBe(`303 ${given}`);
    await reader.authorize({ code, redirect_uri: given }).expect(200);
  });

  it('is labeled as an address of the link unless the request contains an address', async () => {
    const told = 'This address comes from the link that you opened';
    const linked = await reader.code({ redirect_uri: '/' });
    const named = await reader.code({ redirect_uri: READER });

    expect(shownText(await ada.open(consentPath(linked, READER)))).toContain(told);
    expect(shownText(await ada.open(consentPath(named, READER)))).not.toContain(told);
  });

  it.each([
    [READER, EVIL],
    [READER, 'https://other.reader.example/'],
    [READER, 'https://reader.example.evil.example/back'],
    [READER, 'https://reader.example@evil.example/back'],
    [READER, 'https://bank.example@reader.example/back'],
    [READER, 'http://reader.example/back'],
    [READER, 'https://reader.example:8443/back'],
    [READER, 'not_needed'],
    [READER, 'javascript:alert(1)'],
    [READER, 'data:text/html,x'],
    ['obsidian://pocket-auth', 'obsidian://evil'],
    ['obsidian://pocket-auth', 'evil://pocket-auth'],
    ['obsidian://pocket-auth', 'https://pocket-auth/'],
    ['not_needed', 'javascript:alert(1)'],
    ['not_needed', 'file:///etc/passwd'],
    ['/', 'JaVaScRiPt://reader.example/%0aalert(1)'],
    ['/', 'https://reader.example/\r\nSet-Cookie: a=b'],
    ['/', 'https://bank.example@evil.example/'],
    ['/import', 'data:text/html,x'],
  ])('is rejected: request with %s, link with %j', async (asked, given) => {
    const code = await reader.code({ redirect_uri: asked });

    const page = await ada.open(consentPath(code, given)).expect(400);
    expect(headingOf(page)).toBe('This link does not match the request');

    const _csrf = await ada.csrfToken();
    const fields = { request_token: code, redirect_uri: given, decision: 'authorized' };
    const answer = await ada.post('/auth/authorize', { ...fields, _csrf }).expect(400);
    expect(answer.headers['location']).toBeUndefined();
    await reader.authorize({ code }).expect(403);
  });

  it('is shown in the normalized form that browsers use', async () => {
    const code = await reader.code({ redirect_uri: 'not_needed' });

    const page = await ada.open(consentPath(code, 'HTTPS:\\\\b\u0430nk.example/\u202etxt'));

    expect(addressOn(page)).toBe('https://xn--bnk-6cd.example/%E2%80%AEtxt');
  });
});

describe('a consent link that another person has created', () => {
  it('redirects to the address that its page shows, without the code', async () => {
    const code = await reader.code({ redirect_uri: 'not_needed' });

    const page = await ada.open(consentPath(code, EVIL)).expect(200);
    const answer = await ada.answer(code, 'authorized', EVIL);

    expect(addressOn(page)).toBe(EVIL);
    expect(locationOf(answer)).toBe(`303 ${EVIL}`);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
  });

  it('cannot be submitted without the CSRF token', async () => {
    const code = await reader.code({ redirect_uri: 'not_needed' });
    const fields = { request_token: code, redirect_uri: EVIL, decision: 'authorized' };

    const answer = await ada.post('/auth/authorize', { ...fields, _csrf: '' }).expect(403);

    expect(answer.headers['location']).toBeUndefined();
    await reader.authorize({ code }).expect(403);
  });
});
