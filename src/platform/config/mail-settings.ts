/** The settings for sending mail. */
export interface MailSettings {
  /** The URL of the mail server. It contains the user and the password. */
  readonly serverUrl: string;
  readonly from: string;
  /** True if users get a mail after a login from a new device or address. */
  readonly hasLoginNotices: boolean;
  /** True if users may send articles to the mail addresses of their e-readers. */
  readonly hasEReaderMail: boolean;
}

/** The environment variables for mail. */
interface MailVariables {
  readonly PUBLIC_URL?: string;
  readonly SMTP_URL?: string;
  readonly MAIL_FROM?: string;
  readonly LOGIN_NOTICES?: string;
  readonly EREADER_MAIL?: string;
  readonly EMAIL_VERIFICATION: string;
}

export const mailSettings = ({
  SMTP_URL,
  MAIL_FROM = '',
  LOGIN_NOTICES,
  EREADER_MAIL,
}: MailVariables): MailSettings | undefined =>
  SMTP_URL === undefined
    ? undefined
    : Object.freeze({
        serverUrl: SMTP_URL,
        from: MAIL_FROM,
        hasLoginNotices: LOGIN_NOTICES !== 'off',
        hasEReaderMail: EREADER_MAIL !== 'off',
      });

/**
 * Returns error messages for mail variables that are missing or contradict each other. Links in mails need PUBLIC_URL,
 * because any client can send a wrong host name in the Host header of a request.
 */
export function mailErrors(variables: MailVariables): string[] {
  const { SMTP_URL, PUBLIC_URL, MAIL_FROM } = variables;
  const { LOGIN_NOTICES, EREADER_MAIL, EMAIL_VERIFICATION } = variables;
  const needed = (name: string): string => `${name}: is needed with SMTP_URL`;
  if (SMTP_URL !== undefined) {
    return [
      ...(PUBLIC_URL === undefined
        ? [`${needed('PUBLIC_URL')}, since mails hold links to the service`]
        : []),
      ...(MAIL_FROM === undefined ? [needed('MAIL_FROM')] : []),
    ];
  }
  return [
    ...(LOGIN_NOTICES === 'on' ? ['LOGIN_NOTICES: needs SMTP_URL'] : []),
    ...(EREADER_MAIL === 'on' ? ['EREADER_MAIL: needs SMTP_URL'] : []),
    ...(EMAIL_VERIFICATION === 'required' ? ['EMAIL_VERIFICATION: needs SMTP_URL'] : []),
  ];
}
