import { configFrom } from './config.js';
import { ConfigError } from './environment.js';

const SECRETS = {
  JWT_SECRET: 'a secret of at least 32 bytes: 1',
  SESSION_SECRET: 'a secret of at least 32 bytes: 2',
};
const MAIL = {
  SMTP_URL: 'smtp://user:pass@smtp.example.com:587',
  MAIL_FROM: 'satchel@example.com',
  PUBLIC_URL: 'http://satchel.example.com',
};

const read = (variables: Record<string, string>) => configFrom({ ...SECRETS, ...variables });

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    read(variables);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
}

describe('the settings of mail', () => {
  it('turn mail on, with notices of logins and without verification', () => {
    const config = read(MAIL);

    expect(config.mail).toEqual({
      serverUrl: MAIL.SMTP_URL,
      from: MAIL.MAIL_FROM,
      hasLoginNotices: true,
      hasEReaderMail: true,
    });
    expect(config.isEmailVerificationRequired).toBe(false);
    expect(Object.isFrozen(config.mail)).toBe(true);
  });

  it('turn notices and mail to e-readers off, and verification on', () => {
    const off = { LOGIN_NOTICES: 'off', EREADER_MAIL: 'off' };
    const config = read({ ...MAIL, ...off, EMAIL_VERIFICATION: 'required' });

    expect(config.mail).toMatchObject({ hasLoginNotices: false, hasEReaderMail: false });
    expect(config.isEmailVerificationRequired).toBe(true);
  });

  it.each([
    'smtp://localhost',
    'smtps://smtp.example.com',
    'smtp://a%40b:p%3Aw@[::1]:2525/',
    'smtp://smtp.example.com?requireTLS=true',
  ])('name the server %s', (SMTP_URL) => {
    expect(problemsOf({ ...MAIL, SMTP_URL })).toEqual([]);
  });

  it.each([
    'http://smtp.example.com',
    'smtp.example.com:587',
    'smtp://',
    'smtp:smtp.example.com',
    'smtp://smtp.example.com/path',
    'smtp://smtp.example.com#part',
    'smtp://user:hunter2@smtp.example.com:port',
  ])('do not name the server %s, which is not repeated', (SMTP_URL) => {
    const [problem = '', ...others] = problemsOf({ ...MAIL, SMTP_URL });

    expect([problem, others]).toEqual([expect.stringMatching(/^SMTP_URL: is a URL such as/), []]);
    expect(problem).not.toContain('hunter2');
  });

  it.each(['satchel@example.com', 'Satchel <satchel@example.com>'])('are from %s', (MAIL_FROM) => {
    expect(problemsOf({ ...MAIL, MAIL_FROM })).toEqual([]);
  });

  it.each([
    'satchel',
    'Satchel <>',
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'Satchel\nBcc: b@example.com <a@example.com>',
  ])('are not from %j', (MAIL_FROM) => {
    expect(problemsOf({ ...MAIL, MAIL_FROM })).toEqual([
      expect.stringMatching(/^MAIL_FROM: is an email address/),
    ]);
  });

  it.each([
    [
      'a server alone',
      { SMTP_URL: MAIL.SMTP_URL },
      [
        'PUBLIC_URL: is needed with SMTP_URL, since mails hold links to the service',
        'MAIL_FROM: is needed with SMTP_URL',
      ],
    ],
    [
      'mail to e-readers without a server',
      { EREADER_MAIL: 'on' },
      ['EREADER_MAIL: needs SMTP_URL'],
    ],
    ['notices without a server', { LOGIN_NOTICES: 'on' }, ['LOGIN_NOTICES: needs SMTP_URL']],
    [
      'verification without a server',
      { EMAIL_VERIFICATION: 'required' },
      ['EMAIL_VERIFICATION: needs SMTP_URL'],
    ],
    ['a wrong word', { ...MAIL, LOGIN_NOTICES: 'yes' }, ['LOGIN_NOTICES: is on or off']],
    [
      'another wrong word',
      { ...MAIL, EMAIL_VERIFICATION: 'on' },
      ['EMAIL_VERIFICATION: is required or off'],
    ],
  ])('are refused where they are %s', (_, variables, problems) => {
    expect(problemsOf(variables as unknown as Record<string, string>)).toEqual(problems);
  });
});
