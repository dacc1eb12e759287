import { Role } from '../../src/auth/entities/user.entity.js';
import { aVisitor } from '../support/oauth-api.js';
import { filledPath, mountedRoutes } from '../support/old-sessions.js';
import { locationOf } from '../support/page-visitor.js';
import { aPasskeyUser } from '../support/passkey-visitor.js';
import { ASK_PATH, RequiredFactorWorld } from '../support/required-factor-world.js';

/** Calls of programs, which take no session cookie, and files without data of a user. */
const NO_PAGES =
  /^\/(?:v1|v3|v3beta|api|opds|feeds|images|wallabag\/(?:api|oauth)|pages|docs|offline)\/|^\/(?:opds|docs|register|login|refresh|logout|health|ready|offline|favicon\.ico|openapi\.json|service-worker\.js|manifest\.webmanifest)$/;

/**
 * Pages that people open without a login, and addresses that only redirect to another page. Without a request of an
 * application, `/auth/authorize` only shows an error (second-factor-required.e2e-spec.ts).
 */
const FOR_EVERYONE = [
  ...['get /.well-known/security.txt', 'get /a/read/:id', 'get /apps/bookmarks/bookmarklet'],
  ...['get /auth/authorize', 'post /auth/authorize'],
  ...['get /auth/forgot', 'get /auth/login/code', 'get /auth/login/code/passkey'],
  ...['get /auth/login/passkey', 'get /auth/oidc/logout', 'get /auth/register', 'get /auth/reset'],
  ...['get /auth/verify', 'get /auth/verify/email', 'get /bagit', 'get /bookmarklet'],
  ...['get /bookmarklet/add', 'get /bookmarks/new', 'get /saves', 'get /share'],
  ...['get /shared/:token', 'get /shared/:token/pictures/:number', 'get /shared/lists/:address'],
  ...['get /shared/lists/:address.atom', 'get /unsubscribe/:token', 'get /wallabag/all/list'],
  ...['get /wallabag/archive/list', 'get /wallabag/bagit', 'get /wallabag/bookmarklet'],
  ...['get /wallabag/favicon.ico', 'get /wallabag/logout', 'get /wallabag/share/:token'],
  ...['get /wallabag/starred/list', 'get /wallabag/tag/list', 'get /wallabag/unread/list'],
  ...['post /auth/forgot', 'post /auth/leave', 'post /auth/login', 'post /auth/login/code'],
  ...['post /auth/login/code/passkey', 'post /auth/login/code/passkey/options'],
  ...['post /auth/login/passkey', 'post /auth/login/passkey/options', 'post /auth/register'],
  ...['post /auth/reset', 'post /auth/verify', 'post /auth/verify/again'],
  ...['post /auth/verify/email', 'post /unsubscribe/:token', 'post /wallabag/login_check'],
];

/** The pages on which a user proves the identity, or uses the second factor. */
const PROOFS = [
  ...['get /auth/confirm', 'get /auth/confirm/passkey', 'get /auth/oidc/confirm'],
  ...['get /auth/second-factor', 'post /auth/confirm', 'post /auth/confirm/passkey'],
  'post /auth/confirm/passkey/options',
];

/** The pages on which a user sets up the first second factor. */
const SET_UP = [
  ...['get /account/passkeys/new', 'get /account/second-factor', 'post /account/passkeys/new'],
  ...['post /account/passkeys/new/options', 'post /account/second-factor'],
];

let world: RequiredFactorWorld;

beforeAll(async () => {
  const mail = { serverUrl: 'smtp://127.0.0.1:1', from: 'satchel@example.com' };
  world = await RequiredFactorWorld.begin({
    mail: { ...mail, hasLoginNotices: false, hasEReaderMail: true },
  });
  world.requireFor('everyone');
});
afterAll(() => world.app.close());

/** Logs in as a new administrator who has not used a second factor, and who has one if the state is `unproven`. */
async function anAdministrator(state: string) {
  const { app } = world;
  const { visitor, _csrf } = await world.before(async () => {
    const visitor = state === 'missing' ? await aVisitor(app) : (await aPasskeyUser(app)).visitor;
    return { visitor, _csrf: await visitor.csrfToken() };
  });
  const values = [visitor.user.id, Role.Administrator];
  await app.database.query('UPDATE users SET role = $2 WHERE id = $1', values);
  await app.database.query('UPDATE sessions SET has_second_factor = false');
  return { visitor, _csrf };
}

const isStopped = (location: string): boolean =>
  location === ASK_PATH || location.startsWith(`${ASK_PATH}?`);

/** Returns the routes that an administrator in this state can use. */
async function openIn(state: string): Promise<string[]> {
  const found: string[] = [];
  let { visitor, _csrf } = await anAdministrator(state);
  for (const { method, path } of mountedRoutes(world.app).filter(
    (route) => !NO_PAGES.test(route.path),
  )) {
    const address = filledPath(path, visitor.user.id);
    const sent = method === 'get' ? visitor.open(address) : visitor.post(address, { _csrf });
    if (!isStopped(locationOf(await sent.set('Accept', 'text/html').redirects(0)))) {
      found.push(`${method} ${path}`);
      ({ visitor, _csrf } = await anAdministrator(state));
    }
  }
  return found;
}

describe('a session of an administrator', () => {
  it.each([
    ['missing', [...FOR_EVERYONE, ...PROOFS, ...SET_UP]],
    ['unproven', [...FOR_EVERYONE, ...PROOFS]],
  ])('whose second factor is %s opens only the pages that ask for it', async (state, open) => {
    expect((await openIn(state)).toSorted()).toEqual(open.toSorted());
  });
});
