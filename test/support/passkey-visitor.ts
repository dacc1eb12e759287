import type { Response } from 'supertest';

import { aVisitor } from './oauth-api.js';
import { PageVisitor } from './page-visitor.js';
import { type PasskeyRequest, SoftPasskey } from './soft-passkey.js';
import type { TestApp } from './test-app.js';

/** The address of the service in these tests. Browsers use no passkeys at IP addresses. */
export const SITE = new URL('http://localhost:3000');

/** Requests the options of a passkey, as the script of a page does. */
export async function passkeyRequestOf(
  visitor: PageVisitor,
  path: string,
  token: string,
): Promise<PasskeyRequest> {
  const { body } = await visitor.agent
    .post(`${path}/options`)
    .set('Accept', 'application/json')
    .type('form')
    .send({ _csrf: token })
    .expect(200);
  return body as PasskeyRequest;
}

/** Registers a user, and adds a passkey on the pages of the account. */
export async function aPasskeyUser(app: TestApp) {
  const visitor = await aVisitor(app);
  const passkey = new SoftPasskey(SITE.origin);
  await addPasskey(visitor, passkey);
  return { visitor, passkey, user: visitor.user };
}

export async function addPasskey(visitor: PageVisitor, passkey: SoftPasskey, name = 'Laptop') {
  const path = '/account/passkeys/new';
  const token = await visitor.csrfToken();
  const credential = passkey.created(await passkeyRequestOf(visitor, path, token));
  await visitor.post(path, { _csrf: token, name, credential }).expect(303);
}

/** A browser on the login page. */
export async function aLoginPage(app: TestApp) {
  const visitor = new PageVisitor(app);
  const { fields } = await visitor.form('/auth/login', '/auth/login/passkey');
  const token = fields['_csrf'] ?? '';
  return {
    visitor,
    request: () => passkeyRequestOf(visitor, '/auth/login/passkey', token),
    send: (credential: string): Promise<Response> =>
      visitor.post('/auth/login/passkey', { _csrf: token, credential }).then((answer) => answer),
  };
}
