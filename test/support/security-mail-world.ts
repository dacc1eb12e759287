import { SecurityMailSender } from '../../src/auth/security-mails/security-mail-sender.js';
import { AccountApi, type SignedIn } from './account-api.js';
import { headersOf, MailServer, partsOf, type ReceivedMail } from './mail-server.js';
import { aVisitor } from './oauth-api.js';
import type { PageVisitor } from './page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from './test-app.js';

export type Visitor = PageVisitor & { user: SignedIn };

/** The service with a mail server, an administrator, and users with confirmed addresses. */
export class SecurityMailWorld {
  private constructor(
    readonly server: MailServer,
    readonly app: TestApp,
    readonly root: Visitor,
  ) {}

  /** `refuse` returns an SMTP error for a mail, or undefined to accept the mail. */
  static async begin(
    refuse?: (raw: string) => { code: number; text: string } | undefined,
  ): Promise<SecurityMailWorld> {
    const server = await MailServer.begin(refuse && { refuse });
    const app = await aTestApp({
      config: {
        mail: { ...server.settings, hasLoginNotices: false },
        limits: NO_LIMITS,
      },
    });
    Object.assign(app.config, { publicUrl: new URL(app.url) });
    return new SecurityMailWorld(server, app, await aVisitor(app));
  }

  /** Creates a user with a confirmed address, who is logged in. */
  async user(): Promise<Visitor> {
    const user = await new AccountApi(this.app).signedIn();
    await this.confirmed(user);
    return aVisitor(this.app, user);
  }

  async confirmed({ id }: Pick<SignedIn, 'id'>): Promise<void> {
    await this.app.database.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [id]);
  }

  /** Submits a form of a page. */
  async press(visitor: PageVisitor, page: string, action: string, fields = {}) {
    return visitor.submit(await visitor.form(page, action), fields);
  }

  /** Changes the password of a user, which causes a mail. */
  async changePassword(visitor: Visitor): Promise<void> {
    const fields = { current: visitor.user.password, password: 'another long pass phrase' };
    const answer = await this.press(visitor, '/account/security', '/account/password', fields);
    expect(answer.status).toBe(303);
  }

  /** Sends all mails that are due, from several instances at once. */
  async sendDue(...others: readonly TestApp[]): Promise<void> {
    const senders = [this.app, ...others].map(({ app }) => app.get(SecurityMailSender));
    const sent = await Promise.all(senders.map((sender) => sender.sendNext()));
    if (sent.includes(true)) {
      await this.sendDue(...others);
    }
  }

  /** Stops the loops of all instances, so that only `sendDue` sends mails. Returns a function that starts them. */
  static pause(): () => void {
    const loops = jest.spyOn(SecurityMailSender.prototype, 'sendNext').mockResolvedValue(false);
    return () => {
      loops.mockRestore();
    };
  }

  /** Returns the mails in the outbox. */
  outbox(): Promise<{ kind: string; audience: string; at: Date; due_at: Date }[]> {
    return this.app.database.query('SELECT * FROM security_mails ORDER BY at, audience');
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.server.close();
  }
}

export const subjectOf = (mail: ReceivedMail): string =>
  headersOf(mail)
    .find((line) => line.startsWith('Subject: '))
    ?.slice('Subject: '.length) ?? '';

export const messageIdOf = (mail: ReceivedMail): string =>
  headersOf(mail).find((line) => line.startsWith('Message-ID: ')) ?? '';

/** Returns the plain text of a mail. */
export const textOf = (mail: ReceivedMail): string => partsOf(mail)[0] ?? '';
