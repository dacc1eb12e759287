import { Role } from '../../src/auth/entities/user.entity.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { ProtectedVisitor } from '../support/authenticator.js';
import { aVisitor } from '../support/oauth-api.js';
import { shownText } from '../support/page-visitor.js';
import { aPasskeyUser } from '../support/passkey-visitor.js';
import { Workplace } from '../support/processes.js';
import { RequiredFactorWorld } from '../support/required-factor-world.js';

let world: RequiredFactorWorld;
let admin: ProtectedVisitor;

/**
 * Creates an administrator and a user with a second factor, and two administrators and two users without one. One of
 * them is disabled, and one has no password.
 */
beforeAll(async () => {
  world = await RequiredFactorWorld.begin();
  const { app, api } = world;
  const users = app.app.get(UserAdministrationService);
  admin = await ProtectedVisitor.of(app, await aVisitor(app));
  await users.setRole(admin.user.email, Role.Administrator);
  await aPasskeyUser(app);
  await api.registered();
  await users.disable((await api.registered()).email);
  const { id } = await api.registered();
  const values = [id, Role.Administrator];
  await app.database.query(
    'UPDATE users SET role = $2, password_hash = NULL WHERE id = $1',
    values,
  );
});
afterAll(() => world.app.close());

async function doctor(setting: string): Promise<Finding | undefined> {
  const workplace = new Workplace({
    DATABASE_URL: world.app.database.url,
    SECOND_FACTOR: setting,
  });
  const { stdout } = await workplace.runHere(['doctor', '--json']);
  workplace.remove();
  const findings = JSON.parse(stdout) as Finding[];
  return findings.find(({ check }) => check === 'second-factors');
}

const overview = async (): Promise<string> =>
  shownText(await admin.visitor.open('/admin').expect(200));

describe('the users who can log in by password and must set up a second factor', () => {
  it.each([
    ['required', 'everyone', 2],
    ['required-for-administrators', 'administrators', 1],
  ] as const)('are counted by doctor and at /admin: %s', async (setting, group, count) => {
    world.requireFor(group);

    expect(await doctor(setting)).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(new RegExp(`: ${count}$`)),
    });
    expect(await overview()).toMatch(
      new RegExp(`Users who must set up a second factor ${count}\\b`),
    );
  });

  it('are not counted if no user needs a second factor', async () => {
    world.requireFor('none');

    expect(await doctor('optional')).toMatchObject({ state: 'ok' });
    expect(await overview()).not.toContain('second factor');
  });

  it('are not counted if nobody can log in by password', async () => {
    world.requireFor('everyone');
    Object.assign(world.app.config, { passwordLogin: false });

    expect(await overview()).not.toContain('second factor');
  });
});
