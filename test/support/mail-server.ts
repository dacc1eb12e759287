import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

import type { MailSettings } from '../../src/platform/config/mail-settings.js';

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, unchanged. */
  readonly raw: string;
}

interface MailServerOptions {
  readonly user?: string;
  readonly password?: string;
  /** Returns an SMTP error for a mail, or undefined to accept the mail. */
  readonly refuse?: (raw: string) => { readonly code: number; readonly text: string } | undefined;
  /** Delay in milliseconds before the server answers a complete mail. */
  readonly looksForMs?: number;
}

/** An SMTP server that stores received mails. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  attempts = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly server: SMTPServer;

  private constructor({ user, password, refuse, looksForMs = 0 }: MailServerOptions) {
    this.server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      authOptional: user === undefined,
      onAuth: ({ username = '', password: given = '' }, _session, done) => {
        const isRight = username === user && given === password;
        done(
          isRight ? null : new Error(`refused ${username} with ${given}`),
          isRight ? { user: username } : undefined,
        );
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        const answer = (): void => {
          const raw = Buffer.concat(chunks).toString();
          const refusal = refuse?.(raw);
          if (refusal !== undefined) {
            done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
            return;
          }
          this.take({
            from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
            to: envelope.rcptTo.map(({ address }) => address),
            raw,
          });
          done();
        };
        stream.on('end', () => {
          this.attempts += 1;
          if (looksForMs === 0) {
            answer();
          } else {
            setTimeout(answer, looksForMs);
          }
        });
      },
    });
  }

  static async begin(options: MailServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** Mail settings for a service that sends through this server. */
  get settings(): MailSettings {
    const serverUrl = `smtp://127.0.0.1:${this.port}`;
    const from = 'Satchel <satchel@example.com>';
    return { serverUrl, from, hasLoginNotices: true, hasEReaderMail: true };
  }

  /** Waits for `count` mails to an address. Returns the last one. */
  async mailTo(address: string, count = 1): Promise<ReceivedMail> {
    for (;;) {
      const mails = this.sentTo(address);
      const last = mails.at(-1);
      if (last !== undefined && mails.length >= count) {
        return last;
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  sentTo(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(address));
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private take(mail: ReceivedMail): void {
    this.received.push(mail);
    this.waiting.splice(0).forEach((resolve) => {
      resolve();
    });
  }
}

/** Returns the decoded parts of a mail: first plain text, then HTML. */
export function partsOf({ raw }: ReceivedMail): readonly string[] {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? '';
  return raw
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...body] = part.trim().split('\r\n\r\n');
      return decoded(body.join('\r\n\r\n'), head).replaceAll('\r\n', '\n');
    });
}

function decoded(body: string, head: string): string {
  if (/base64/i.test(head)) {
    return Buffer.from(body, 'base64').toString();
  }
  if (!/quoted-printable/i.test(head)) {
    return body;
  }
  const latin = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(latin, 'latin1').toString();
}

/** Returns the attachment of a mail. The mail must have one. */
export function attachmentOf({ raw }: ReceivedMail): { name: string; type: string; bytes: Buffer } {
  const [, part = ''] = raw.split(
    /(?=^Content-Type: [^\n]*\r\n(?:[^\r\n]+\r\n)*?Content-Disposition: attachment)/m,
  );
  const [head = '', body] = part.split('\r\n\r\n', 2);
  if (body === undefined) {
    throw new Error(`this mail has no attachment: ${raw.slice(0, 2000)}`);
  }
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ');
  return {
    name: fileNameIn(lines.replace(/^.*?Content-Disposition:/s, '')),
    type: /^Content-Type: ([^;\r]+)/.exec(lines)?.[1] ?? '',
    bytes: Buffer.from(body.split('\r\n--', 1).join(''), 'base64'),
  };
}

/** Reads a plain file name, or an RFC 2231 name, which is percent-encoded and may be split. */
function fileNameIn(disposition: string): string {
  const plain = /filename="?([^";]+)"?/.exec(disposition)?.[1];
  const pieces = [...disposition.matchAll(/filename\*\d*\*?=(?:utf-8'')?([^;\s]+)/gi)];
  return plain ?? decodeURIComponent(pieces.map(([, piece = '']) => piece).join(''));
}

/** Returns the unfolded header lines. */
export const headersOf = ({ raw }: ReceivedMail): string[] =>
  (raw.split('\r\n\r\n', 1)[0] ?? '').replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');

/** Returns path and query of the link in a mail. */
export function linkIn(mail: ReceivedMail, publicUrl: string): string {
  const [text = ''] = partsOf(mail);
  const link = text.split(/\s+/).find((word) => word.startsWith(`${publicUrl}/`));
  if (link === undefined) {
    throw new Error(`there is no link to ${publicUrl} in this mail: ${text}`);
  }
  return link.slice(publicUrl.length);
}

/** Returns the paths of all links to choose a new password that were mailed to an address, the oldest first. */
export const resetLinksTo = (server: MailServer, email: string, publicUrl: string): string[] =>
  server
    .sentTo(email)
    .map((mail) => linkIn(mail, publicUrl))
    .filter((link) => link.startsWith('/auth/reset?'));
