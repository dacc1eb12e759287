import type { Config } from '../../platform/config/config.js';
import { findMailServerFailure } from '../../platform/mail/test-mail.js';
import { failed, type Finding, ok } from './finding.js';

/** A server may accept the login and still reject each mail, for example because of the sender. */
const ONLY_A_MAIL_TELLS = 'answers; to find out whether it accepts mails, run mail test';

/** Checks that the mail server answers and accepts the login. Sends no mail. */
export async function checkMail({ mail }: Config): Promise<Finding> {
  if (mail === undefined) {
    return ok('mail', 'the service sends none: SMTP_URL');
  }
  const { host } = new URL(mail.serverUrl);
  const failure = await findMailServerFailure(mail);
  return failure === undefined
    ? ok('mail', `${host} ${ONLY_A_MAIL_TELLS}`)
    : failed('mail', `${host}: ${failure}`);
}
