import { randomUUID } from 'node:crypto';

import { clean, cut, withoutControls } from '../../lib/util/clean-text.js';
import type { MailSettings } from '../config/mail-settings.js';
import { greetServer, senderOf } from './mailer.js';

const MAX_ANSWER = 300;

/** The test mail could not be sent. The message contains the reason and a hint. */
class TestMailError extends Error {}

/**
 * Sends a test mail in a single attempt.
 *
 * @returns the response of the server
 * @throws TestMailError if the mail was not sent
 */
export async function sendTestMail(settings: MailSettings, to: string): Promise<string> {
  const mail = {
    to,
    subject: 'Test mail from Satchel',
    text: 'This mail was sent by: satchel mail test\n\nSatchel can send mail with these settings.\n',
    html: '<p>This mail was sent by: <code>satchel mail test</code></p><p>Satchel can send mail with these settings.</p>',
  };
  try {
    const { response } = await senderOf(settings)(mail, randomUUID());
    return printable(response);
  } catch (error) {
    throw new TestMailError(failureOf(describe(error)));
  }
}

/**
 * Connects to the mail server and logs in, but sends no mail.
 *
 * @returns the reason and a hint if this fails
 */
export async function findMailServerFailure(settings: MailSettings): Promise<string | undefined> {
  try {
    await greetServer(settings);
    return undefined;
  } catch (error) {
    return withHint(describe(error), 'no connection').replaceAll('\n', ': ');
  }
}

/** The properties of an error that nodemailer throws. */
interface SmtpFailure {
  readonly message: string;
  readonly code: string;
  /** The SMTP command that the server rejected. */
  readonly command: string;
  readonly status: string;
}

function describe(error: unknown): SmtpFailure {
  const read = (name: string): string => {
    const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return {
    message: printable(error instanceof Error ? error.message : String(error)),
    code: read('code'),
    command: read('command'),
    status: read('responseCode'),
  };
}

type Hint = readonly [applies: (failure: SmtpFailure) => boolean, hint: string];

/** Hints about how to fix a failure. The first hint that applies is shown. */
const HINTS: readonly Hint[] = [
  [
    ({ message }) => message.includes('ECONNREFUSED'),
    'No server listens there. Check host and port of SMTP_URL: 587 for smtp://, 465 for smtps://.',
  ],
  [
    ({ code, message }) => code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message),
    'The name does not resolve. Check the host of SMTP_URL.',
  ],
  [
    ({ message }) =>
      /self.signed|unable to (?:verify|get)|certificate|altnames|expired/i.test(message),
    'The certificate of the server is not accepted. Use the host name of the certificate in SMTP_URL. For a certificate authority of your own, set NODE_EXTRA_CA_CERTS to its PEM file.',
  ],
  [
    ({ code, message }) => code === 'ETLS' || /wrong version number|ssl|tls/i.test(message),
    'TLS fails. smtps:// begins with TLS (port 465), smtp:// switches to TLS later (ports 587 and 25).',
  ],
  [
    ({ code, message }) => code === 'ETIMEDOUT' || /timeout|timed out|greeting/i.test(message),
    'The server does not answer. A firewall may block the port, or the port expects TLS: try smtps:// or smtp://.',
  ],
  [
    ({ code, command }) => code === 'EENVELOPE' && command.startsWith('MAIL'),
    'The server rejects the sender. Set MAIL_FROM to an address that this account may use.',
  ],
  [
    ({ code, command }) => code === 'EENVELOPE' && command.startsWith('RCPT'),
    'The server rejects the receiver. It may need a login: put user and password into SMTP_URL.',
  ],
];

/**
 * Returns the error message for a failure. For a rejected login, leaves out the server's reply, because it may contain
 * the password.
 */
const failureOf = (failure: SmtpFailure): string => withHint(failure, 'the test mail was not sent');

function withHint(failure: SmtpFailure, problem: string): string {
  if (failure.code === 'EAUTH') {
    return `the mail server rejects the login (${failure.status || 'no login offered'})\nCheck user and password of SMTP_URL, with : / @ and % written in percent.`;
  }
  const hint = HINTS.find(([applies]) => applies(failure))?.[1];
  return [`${problem}: ${failure.message}`, ...(hint ? [hint] : [])].join('\n');
}

const printable = (text: string): string =>
  cut(withoutControls(clean(text)).replaceAll(/\s+/g, ' ').trim(), MAX_ANSWER);
