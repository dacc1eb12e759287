import { FORM_PATHS } from '../../src/web/forms.js';
import { aVisitor } from '../support/oauth-api.js';
import { ageSessions, asksToConfirm, filledPath, mountedRoutes } from '../support/old-sessions.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/**
 * The routes that need a recent login of a user with a password. Forms that check the password themselves are missing.
 * Some handlers need a recent login only for some values (recent-login-conditions.e2e-spec.ts).
 */
const GUARDED = [
  'get /account/keys',
  'get /account/keys/clients',
  'get /account/keys/passwords',
  'get /account/passkeys/new',
  'get /admin/invitations',
  'get /admin/keys',
  'get /admin/keys/:id',
  'get /admin/keys/:id/delete',
  'get /admin/users/:id',
  'get /admin/users/:id/delete',
  'get /wallabag/developer/client/create',
  'post /account/feeds',
  'post /account/keys',
  'post /account/keys/clients',
  'post /account/keys/passwords',
  'post /account/passkeys/new',
  'post /account/passkeys/new/options',
  'post /account/passkeys/remove',
  'post /admin/invitations',
  'post /admin/invitations/revoke',
  'post /admin/keys',
  'post /admin/keys/:id/:verb',
  'post /admin/keys/:id/permissions',
  'post /admin/users/:id/:verb',
  'post /admin/users/:id/reset',
  'post /wallabag/developer/client/create',
];

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
  await aVisitor(app);
});
afterAll(() => app.close());

/** The forms that end the session. */
const ENDING = new Set(['/account/sign-out', '/auth/leave']);

/** Logs in as a new administrator, this many minutes ago. */
async function anAdministrator(minutes: number) {
  const visitor = await aVisitor(app);
  const { id } = visitor.user;
  await app.database.query(`UPDATE users SET role = 'administrator' WHERE id = $1`, [id]);
  const _csrf = await visitor.csrfToken();
  await ageSessions(app, id, minutes);
  return { visitor, _csrf };
}

/** Returns the routes that ask a user to confirm the login. */
async function asking(method: 'get' | 'post', minutes: number): Promise<string[]> {
  const found: string[] = [];
  let { visitor, _csrf } = await anAdministrator(minutes);
  for (const { path } of pageRoutes(method)) {
    const address = filledPath(path, visitor.user.id);
    const answer = await (
      method === 'get' ? visitor.open(address) : visitor.post(address, { _csrf })
    ).redirects(0);
    found.push(...(asksToConfirm(answer) ? [`${method} ${path}`] : []));
    ({ visitor, _csrf } = ENDING.has(path) ? await anAdministrator(minutes) : { visitor, _csrf });
  }
  return found.toSorted();
}

/** Returns the routes of pages, without the confirmation itself. */
const pageRoutes = (method: 'get' | 'post') =>
  mountedRoutes(app).filter(
    (route) =>
      route.method === method &&
      FORM_PATHS.some((path) => `${route.path}/`.startsWith(`${path}/`)) &&
      !/^\/auth\/(?:confirm|confirm\/passkey.*|oidc\/confirm)$/.test(route.path),
  );

const guarded = (method: string): string[] => GUARDED.filter((route) => route.startsWith(method));

describe('a login of 11 minutes ago', () => {
  it('must be confirmed before the pages with forms that need a recent login, and no others', async () => {
    expect(await asking('get', 11)).toEqual(guarded('get'));
  });

  it('must be confirmed before the changes that need a recent login, and no others', async () => {
    expect(await asking('post', 11)).toEqual(guarded('post'));
  });
});

describe('a login of 9 minutes ago', () => {
  it.each(['get', 'post'] as const)('is enough for all %s requests', async (method) => {
    expect(await asking(method, 9)).toEqual([]);
  });
});
