import { AccountApi } from '../support/account-api.js';
import { auditedIn } from '../support/audit-log.js';
import { ProtectedVisitor } from '../support/authenticator.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import type { PageVisitor } from '../support/page-visitor.js';
import { aPasskeyUser, SITE } from '../support/passkey-visitor.js';
import { Workplace } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

type Visitor = Awaited<ReturnType<typeof aVisitor>>;

let app: TestApp;
/** The first user, who is an administrator. */
let root: Visitor;
let ada: Visitor;
let workplace: Workplace;

beforeAll(async () => {
  app = await aTestApp({ config: { publicUrl: SITE } });
  root = await aVisitor(app);
  workplace = new Workplace({ DATABASE_URL: app.database.url, BCRYPT_COST: '10' });
});
afterAll(async () => {
  workplace.remove();
  await app.close();
});
beforeEach(async () => {
  ada = await aVisitor(app);
});

const press = async (visitor: PageVisitor, page: string, action = page, fields = {}) => {
  const answer = await visitor.submit(await visitor.form(page, action), fields);
  expect(answer.status).toBeLessThan(400);
  return answer;
};
/** Presses a button on the page of the user `ada`. */
const change = (verb: string) => {
  const page = `/admin/users/${ada.user.id}`;
  return press(root, page, `${page}/${verb}`);
};
const run = async (words: string[], input = '') => {
  const { code, stderr, stdout } = await workplace.runHere(words, { input });
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return stdout.trim();
};

describe('an administrator', () => {
  it.each([
    ['user_disabled', 'disable', undefined],
    ['user_enabled', 'enable', () => change('disable')],
    ['administrator_appointed', 'role', undefined],
    ['administrator_dismissed', 'role', () => change('role')],
    ['signed_out', 'sign-out', undefined],
    ['reset_link_created', 'reset', undefined],
  ])('is recorded: %s', async (kind, verb, before) => {
    await before?.();

    const rows = await auditedIn(app, () => change(verb));

    const by = { actor: 'administrator', actor_id: root.user.id };
    expect(rows).toEqual([
      expect.objectContaining({ kind, ...by, user_id: ada.user.id, details: {} }),
    ]);
  });

  it('is recorded as the one who creates and revokes an invitation, without its link', async () => {
    const path = '/admin/invitations';
    const email = 'grace@example.com';

    const created = await auditedIn(app, () => press(root, path, path, { email }));
    const revoked = await auditedIn(app, () => press(root, path, `${path}/revoke`));

    expect([...created, ...revoked]).toMatchObject([
      { kind: 'invitation_created', actor: 'administrator', actor_id: root.user.id },
      { kind: 'invitation_revoked', actor: 'administrator', actor_id: root.user.id },
    ]);
    expect(JSON.stringify([created, revoked])).not.toContain('invitation=');
  });

  it('is recorded as the one who changes the key of an application', async () => {
    const { key } = await OAuthApi.of(app, { name: 'Kobo' });
    const page = `/admin/keys/${key.split('-', 1)[0]}`;
    const at = (verb: string, fields = {}) =>
      auditedIn(app, () => press(root, page, `${page}/${verb}`, fields));

    const rows = [
      ...(await at('permissions', { retrieve: '1' })),
      ...(await at('disable')),
      ...(await at('enable')),
      ...(await auditedIn(app, () => press(root, `${page}/delete`, `${page}/delete`))),
    ];

    expect(rows.map(({ kind }) => kind)).toEqual([
      'key_changed',
      'key_disabled',
      'key_enabled',
      'key_revoked',
    ]);
    expect(rows.map(({ actor_id: by, details }) => [by, details['name']])).toEqual(
      rows.map(() => [root.user.id, 'Kobo']),
    );
    expect(JSON.stringify(rows)).not.toContain(key);
  });
});

describe('the command line', () => {
  it.each([
    ['user_disabled', 'disable', '', ''],
    ['user_enabled', 'enable', '', ''],
    ['administrator_appointed', 'set-role', 'administrator', ''],
    ['signed_out', 'sign-out', '', ''],
    ['reset_link_created', 'reset-link', '', ''],
    ['email_verified', 'verify-email', '', ''],
    ['password_changed', 'set-password', '', 'another long pass phrase\n'],
    ['account_deleted', 'delete', '', ''],
  ])('is recorded as the operator: %s', async (kind, verb, role, input) => {
    const words = [verb, ada.user.email, role].filter((word) => word !== '');

    const rows = await auditedIn(app, () => run(['user', ...words], input));

    const by = { actor: 'operator', actor_id: null };
    expect(rows).toEqual([
      expect.objectContaining({ kind, ...by, user_id: ada.user.id, details: {} }),
    ]);
  });

  it('is recorded as the operator who takes away what a user has, and not if there is nothing', async () => {
    await ProtectedVisitor.of(app, ada);
    await change('role');
    const words = [
      ['reset-second-factor', ada.user.email],
      ['set-role', ada.user.email, 'user'],
    ];

    const rows = await auditedIn(app, async () => {
      for (const verb of [...words, ...words]) {
        await run(['user', ...verb]);
      }
    });

    expect(rows).toMatchObject([
      { kind: 'second_factor_off', actor: 'operator', user_id: ada.user.id },
      { kind: 'administrator_dismissed', actor: 'operator', user_id: ada.user.id },
    ]);
  });

  it('is recorded as the operator who removes the passkeys of a user', async () => {
    const { user } = await aPasskeyUser(app);

    const rows = await auditedIn(app, () => run(['user', 'remove-passkeys', user.email]));

    expect(rows).toMatchObject([
      { kind: 'passkey_removed', actor: 'operator', user_id: user.id, actor_id: null },
    ]);
  });
});

describe('keys that the command line changes', () => {
  it('are recorded as changes of the operator, with their names and without the keys', async () => {
    let key = '';
    const rows = await auditedIn(app, async () => {
      key = await run(['consumer-key', 'create', '--name', 'Kobo', '--permissions', 'retrieve']);
      for (const verb of ['disable', 'enable', 'delete']) {
        await run(['consumer-key', verb, key]);
      }
      await run(['client', 'create', '--name', 'Kobo', '--permissions', 'retrieve']);
    });

    const kinds = ['key_created', 'key_disabled', 'key_enabled', 'key_revoked', 'key_created'];
    expect(rows).toMatchObject(
      kinds.map((kind) => ({
        ...{ kind, actor: 'operator', user_id: null, actor_id: null },
        details: { name: 'Kobo' },
      })),
    );
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it('are recorded for the user whose password for an app it is', async () => {
    const password = ['user', 'app-password'];
    const rows = await auditedIn(app, async () => {
      await run([...password, 'create', ada.user.email, '--name', 'Kobo']);
      const listed = await run([...password, 'list', ada.user.email, '--json']);
      const [{ id } = { id: '' }] = JSON.parse(listed) as { id: string }[];
      await run([...password, 'revoke', ada.user.email, id]);
    });

    const of = { actor: 'operator', user_id: ada.user.id, actor_id: null };
    expect(rows).toMatchObject(['key_created', 'key_revoked'].map((kind) => ({ kind, ...of })));
  });
});

describe('the service', () => {
  it('is recorded as the one who ends all sessions when an exchanged refresh token comes back', async () => {
    const api = new AccountApi(app);
    await api.refresh(ada.user.refreshToken).expect(200);
    await app.database.query(
      `UPDATE rotated_refresh_tokens SET rotated_at = rotated_at - interval '1 hour' WHERE user_id = $1`,
      [ada.user.id],
    );

    const rows = await auditedIn(app, () => api.refresh(ada.user.refreshToken).expect(401));

    expect(rows).toMatchObject([
      { kind: 'refresh_token_reused', actor: 'service', user_id: ada.user.id, actor_id: null },
    ]);
  });
});
