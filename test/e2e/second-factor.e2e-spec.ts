import { InvalidOtpError } from '../../src/auth/auth.errors.js';
import { SecondFactors } from '../../src/auth/second-factor/second-factors.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi, bearer } from '../support/account-api.js';
import { ProtectedVisitor } from '../support/authenticator.js';
import { OAuthApi } from '../support/oauth-api.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

const WRONG = 'a wrong pass phrase';
const LIMIT = 8;

let app: TestApp;
let api: AccountApi;
let ada: ProtectedVisitor;

beforeAll(async () => {
  app = await aTestApp({ config: { limits: { ...NO_LIMITS, loginPerAccount: LIMIT } } });
  api = new AccountApi(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await ProtectedVisitor.of(app);
});

/** Returns how many of several concurrent logins succeed. */
const letIn = async (otps: readonly string[]): Promise<number> => {
  const outcomes = await Promise.all(otps.map((otp) => ada.outcome(otp)));
  const refused = outcomes.filter(([, code]) => code === 'invalid_otp');
  const admitted = outcomes.filter(([status]) => status === 200);
  expect(refused.length + admitted.length).toBe(otps.length);
  return admitted.length;
};

describe('POST /login with a second factor', () => {
  it('requests the code only after a correct password', async () => {
    const code = ada.authenticator.nextCode();

    const unknown = await ada.login(code, { email: 'nobody@example.com' }).expect(401);
    const wrong = await ada.login(code, { password: WRONG }).expect(401);

    expect(wrong.body.code).toBe('invalid_credentials');
    expect(wrong.text).toBe(unknown.text);
    expect((await ada.login(undefined, { password: WRONG }).expect(401)).text).toBe(unknown.text);
    for (const missing of [undefined, null, '']) {
      expect(await ada.outcome(missing)).toEqual([401, 'otp_required']);
    }
    expect(await ada.outcome(code)).toEqual([200, undefined]);
  });

  it('accepts a code once, and no older code after it', async () => {
    const earlier = ada.authenticator.nextCode();
    const later = ada.authenticator.nextCode();

    expect(await ada.outcome(later)).toEqual([200, undefined]);
    expect(await ada.outcome(later)).toEqual([401, 'invalid_otp']);
    expect(await ada.outcome(earlier)).toEqual([401, 'invalid_otp']);
    expect(await ada.outcome(ada.authenticator.nextCode())).toEqual([200, undefined]);
  });

  it('rejects the code that enabled the second factor', async () => {
    expect(await ada.outcome(ada.authenticator.code())).toEqual([401, 'invalid_otp']);
  });

  it('accepts a code of the app once in concurrent requests', async () => {
    expect(await letIn(Array<string>(4).fill(ada.authenticator.nextCode()))).toBe(1);
  });

  it('accepts a recovery code once, regardless of case and separators', async () => {
    const [first = '', second = ''] = ada.recoveryCodes;

    expect(await ada.outcome(first)).toEqual([200, undefined]);
    expect(await ada.outcome(first)).toEqual([401, 'invalid_otp']);
    expect(await ada.outcome(` ${second.toUpperCase().replaceAll('-', ' ')}`)).toEqual([
      200,
      undefined,
    ]);
    expect(await ada.outcome(second)).toEqual([401, 'invalid_otp']);
    expect(ada.recoveryCodes).toHaveLength(10);
  });

  it('accepts a recovery code once in concurrent requests', async () => {
    const [code = ''] = ada.recoveryCodes;

    expect(await letIn(Array<string>(4).fill(code))).toBe(1);
  });

  it('rejects the recovery code of another user', async () => {
    const bob = await ProtectedVisitor.of(app);

    expect(await ada.outcome(bob.recoveryCodes[0])).toEqual([401, 'invalid_otp']);
    expect(await bob.outcome(bob.recoveryCodes[0])).toEqual([200, undefined]);
  });

  it.each([[123456], [['123456']], [{ $gt: '' }], [true]])('rejects %j as otp', async (otp) => {
    expect(await ada.outcome(otp)).toEqual([400, 'validation_failed']);
  });

  it.each(['12345', '1234567', 'x'.repeat(3000), '１２３４５６', "' OR 1=1", '-'.repeat(40), ' '])(
    'rejects %j as a wrong code',
    async (otp) => {
      expect(await ada.outcome(otp)).toEqual([401, 'invalid_otp']);
    },
  );

  it('ignores otp if the user has no second factor', async () => {
    const bob = await api.registered();

    await api.post('/login', { ...bob, otp: '000000' }).expect(200);
  });

  it('needs no code for the session cookie, an access token or a refresh token', async () => {
    const { cookie, accessToken } = ada.user;

    await api.loginWith({ Cookie: cookie }).expect(200);
    const { body } = await api.loginWith(bearer(accessToken)).expect(200);
    await api.refresh(body.refresh_token).expect(200);
  });

  it('does not affect the access of applications, even after a logout', async () => {
    const reader = await OAuthApi.of(app);
    const token = await reader.accessToken(ada.visitor);

    await api.logout(bearer(ada.user.accessToken)).expect(204);

    await reader.get(token).expect(200);
  });

  it('counts wrong codes against the login limit, even with a correct password', async () => {
    const wrong = ada.authenticator.wrongCode();
    for (let attempt = 0; attempt < LIMIT; attempt += 1) {
      expect(await ada.outcome(wrong)).toEqual([401, 'invalid_otp']);
    }

    expect(await ada.outcome(ada.authenticator.nextCode())).toEqual([429, 'too_many_requests']);
  });

  it('resets the login limit after a correct code', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let attempt = 1; attempt < LIMIT; attempt += 1) {
        expect(await ada.outcome()).toEqual([401, 'otp_required']);
      }
      expect(await ada.outcome(ada.authenticator.nextCode())).toEqual([200, undefined]);
    }
  });
});

describe('the second factor', () => {
  const administration = () => app.app.get(UserAdministrationService);

  it('stays enabled when an administrator sets a password', async () => {
    const password = 'another long pass phrase';

    await administration().setPassword(ada.user.email, password);

    expect(await ada.outcome(undefined, { password })).toEqual([401, 'otp_required']);
    expect(await ada.outcome(ada.authenticator.nextCode(), { password })).toEqual([200, undefined]);
  });

  it('is deleted with its recovery codes when an administrator resets it', async () => {
    await administration().resetSecondFactor(` ${ada.user.email.toUpperCase()}`);

    expect(await ada.outcome()).toEqual([200, undefined]);
    const rows = await app.database.query('SELECT FROM recovery_codes WHERE user_id = $1', [
      ada.user.id,
    ]);
    expect(rows).toEqual([]);
    await expect(administration().resetSecondFactor('nobody@example.com')).rejects.toThrow(
      'There is no user',
    );
  });

  it('has no readable key or recovery code in the database and the log', async () => {
    const used = ada.recoveryCodes[0]!;
    const code = ada.authenticator.nextCode();
    await ada.login(used).expect(200);
    await ada.login(code).expect(200);

    const rows = await app.database.query<{ text: string }>(
      `SELECT factor::text || coalesce(codes::text, '') AS text
       FROM second_factors factor LEFT JOIN recovery_codes codes USING (user_id) WHERE user_id = $1`,
      [ada.user.id],
    );
    const seen = rows.map(({ text }) => text).join('') + app.log();
    const secrets = [ada.authenticator.secret, ada.authenticator.secret.replaceAll(' ', '')];
    const all = [...secrets, ...ada.recoveryCodes.flatMap((one) => [one, one.replaceAll('-', '')])];
    expect(rows).toHaveLength(9);
    expect(all.filter((secret) => seen.includes(secret))).toEqual([]);
    expect(app.log()).not.toContain(`"${code}"`);
    expect(app.log()).toContain('used a recovery code');
  });

  it('cannot be replaced by copying the secret of another user in the database', async () => {
    const bob = await ProtectedVisitor.of(app);

    await app.database.query(
      `UPDATE second_factors SET secret = (SELECT secret FROM second_factors WHERE user_id = $1)
       WHERE user_id = $2`,
      [bob.user.id, ada.user.id],
    );

    expect(await ada.outcome(bob.authenticator.nextCode())).toEqual([401, 'invalid_otp']);
  });
});

/** Must be the last test. It closes instances that share the process-wide passport. */
describe('the key of the authenticator app', () => {
  const SECOND = 'the second secret of this service, 32 bytes and more';
  const THIRD = 'the third secret of this service, 32 bytes and more';

  /** Returns which codes an instance with these session secrets accepts. */
  async function accepted(
    sessionSecrets: readonly [string, ...string[]],
    ...codes: readonly string[]
  ): Promise<boolean[]> {
    const config = { ...app.config, sessionSecrets };
    const instance = await aTestApp({ beside: { ...app, config } });
    const factors = instance.app.get(SecondFactors);
    const user = await instance.app.get(UserAdministrationService).find(ada.user.email);
    const outcomes: boolean[] = [];
    for (const code of codes) {
      outcomes.push(
        await factors.admit(user, code).then(
          () => true,
          (error: unknown) => !(error instanceof InvalidOtpError),
        ),
      );
    }
    await factors.encryptAnew();
    await instance.close();
    return outcomes;
  }

  it('survives a rotation of the session secret, but without the secret only recovery codes work', async () => {
    const [first] = app.config.sessionSecrets;
    const [recoveryCode = ''] = ada.recoveryCodes;

    expect(await accepted([SECOND, first], ada.authenticator.nextCode())).toEqual([true]);
    expect(await accepted([SECOND], ada.authenticator.nextCode())).toEqual([true]);
    const lost = await accepted([THIRD], ada.authenticator.nextCode(), recoveryCode);
    expect(lost).toEqual([false, true]);
    expect(await accepted([SECOND], ada.authenticator.nextCode())).toEqual([true]);
  });
});
