import { AccountApi, aPerson, sendRaw } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const MISSING = undefined;

type Faulty = [what: string, value: unknown];

const NO_NAMES: Faulty[] = [
  ['missing', MISSING],
  ['null', null],
  ['a number', 7],
  ['true', true],
  ['an array', ['Ada']],
  ['an object', { first: 'Ada' }],
  ['empty', ''],
  ['white space', ' \t\u00a0'],
  ['a zero-width space', '\u200b'],
  ['fillers, which are not drawn', '\u3164\u2800'],
  ['a control character', '\u0007'],
  ['of 201 characters', 'n'.repeat(201)],
];

const NO_EMAILS: Faulty[] = [
  ['missing', MISSING],
  ['null', null],
  ['a number', 7],
  ['true', true],
  ['an array', ['ada@example.com']],
  ['an object', { address: 'ada@example.com' }],
  ['an object that has no text form', { toString: 'x', valueOf: 'x' }],
  ['empty', ''],
  ['without @', 'ada.example.com'],
  ['without a local part', '@example.com'],
  ['without a domain', 'ada@'],
  ['with a domain of one label', 'ada@localhost'],
  ['with two @', 'ada@one@example.com'],
  ['with white space inside', 'a da@example.com'],
  ['with white space in the domain', 'ada@exam ple.com'],
  ['with a tab in the domain', 'ada@exam\tple.com'],
  ['with a line break and a header', 'ada@example.com\r\nBcc: eve@example.com'],
  ['with a path', 'ada@example.com/path'],
  ['with a query', 'ada@example.com?query'],
  ['with a fragment', 'ada@example.com#fragment'],
  ['with a backslash', 'ada@example.com\\x'],
  ['with a percent escape', 'ada@ex%61mple.com'],
  ['with a port', 'ada@example.com:25'],
  ['with a dot at the end', 'ada@example.com.'],
  ['with an empty label', 'ada@example..com'],
  ['with an IP address', 'ada@[127.0.0.1]'],
  ['with a display name', 'Ada <ada@example.com>'],
  ['with a dotted capital I', '\u0130da@example.com'],
  ['with letters beyond ASCII in the local part', 'ädä@example.com'],
  ['with a local part of 65 characters', `${'a'.repeat(65)}@example.com`],
  ['of more than 254 characters', `ada@${'label.'.repeat(42)}example.com`],
];

const NO_PASSWORDS: Faulty[] = [
  ['missing', MISSING],
  ['null', null],
  ['a number', 123_456_789_012],
  ['true', true],
  ['an array', ['a long pass phrase']],
  ['an object', { length: 12 }],
  ['empty', ''],
  ['of 7 bytes', 'k8#xQz!'],
  ['of 8 spaces', '        '],
  ['among the commonest', 'password123'],
  ['among the commonest, in upper case', 'PASSWORD123'],
  ['the email address', 'owner@example.com'],
  ['the email address in upper case', 'OWNER@EXAMPLE.COM'],
  ['of 73 bytes', 'p'.repeat(73)],
  ['of 37 letters and 74 bytes', 'é'.repeat(37)],
  ['of 3 KB', 'long '.repeat(600)],
];

describe('POST /register', () => {
  let app: TestApp;
  let api: AccountApi;

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
  });
  afterEach(async () => {
    expect(await app.database.query('DELETE FROM users RETURNING email')).toEqual([]);
  });
  afterAll(() => app.close());

  it('returns the errors of all parameters at once', async () => {
    const response = await api.post('/register', { name: 7, email: 'ada', password: 'short' });

    expect(response.status).toBe(400);
    expect(response.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: expect.arrayContaining([
        'name must be a string',
        'email must be an email',
        'password must have at least 8 characters',
      ]),
      code: 'validation_failed',
    });
  });

  const of = (member: string, faulty: Faulty[]): [string, string, unknown][] =>
    faulty.map(([what, value]) => [member, what, value]);

  it.each([...of('name', NO_NAMES), ...of('email', NO_EMAILS), ...of('password', NO_PASSWORDS)])(
    'returns 400 and stores nothing: %s %s',
    async (member, _, value) => {
      const person = aPerson({ email: 'owner@example.com' });

      const response = await api.post('/register', { ...person, [member]: value });

      expect(response.status).toBe(400);
      expect(response.body.code).toBe('validation_failed');
      const faults = response.body.message as string[];
      expect(faults.filter((fault) => !fault.startsWith(`${member} `))).toEqual([]);
    },
  );

  it('does not repeat the password in the response', async () => {
    const response = await api.post('/register', aPerson({ password: 'p'.repeat(73) }));

    expect(response.text).not.toContain('ppp');
  });

  it.each([
    ['a password of 1 MB', { password: 'p'.repeat(1_000_000) }],
    ['an email address of 300 KB', { email: `${'a'.repeat(300_000)}@example.com` }],
  ])('returns 413 for %s', async (_, facts) => {
    const body = JSON.stringify(aPerson(facts));

    const response = await sendRaw(app, {
      path: '/register',
      headers: { 'Content-Type': 'application/json' },
      body,
    });

    expect(response.status).toBe(413);
  });
});
