import type { Config } from '../../src/platform/config/config.js';
import { Mailer } from '../../src/platform/mail/mailer.js';
import { AccountApi } from './account-api.js';
import { linkIn, MailServer, resetLinksTo } from './mail-server.js';
import { PageVisitor } from './page-visitor.js';
import { until } from './processes.js';
import { aTestApp, NO_LIMITS, type TestApp } from './test-app.js';

/** The whole service with its own mail server. */
export class MailingApp {
  private constructor(
    readonly server: MailServer,
    readonly app: TestApp,
  ) {}

  static async begin(): Promise<MailingApp> {
    const server = await MailServer.begin();
    const app = await aTestApp({
      config: {
        mail: { ...server.settings, hasLoginNotices: false },
        limits: { ...NO_LIMITS, mailPerAccount: 3 },
      },
    });
    // The email address of the first user counts as verified. Tests need users who come later.
    await new AccountApi(app).registered();
    const mailing = new MailingApp(server, app);
    mailing.set({ publicUrl: new URL(app.url) });
    return mailing;
  }

  /** Changes settings that the service reads on each call. */
  set(settings: Partial<Config>): void {
    Object.assign(this.app.config, settings);
  }

  /** Waits until all mails are sent. */
  idle(): Promise<void> {
    return this.app.app.get(Mailer).idle();
  }

  /** Returns the path of the link in the `count`th mail to an address. */
  async linkTo(email: string, count = 1): Promise<string> {
    return linkIn(await this.server.mailTo(email, count), this.app.url);
  }

  /** Requests a password reset. Returns the path of the mailed link. Other mails may arrive before and after it. */
  async resetLink(email: string): Promise<string> {
    const links = (): string[] => resetLinksTo(this.server, email, this.app.url);
    const before = links().length;
    await this.forget(email);
    await until(() => links().length > before, 'the mail with a reset link');
    return links().at(-1) ?? '';
  }

  /** Submits the form for a forgotten password. */
  async forget(email: string, visitor = new PageVisitor(this.app)) {
    const form = await visitor.form('/auth/forgot', '/auth/forgot');
    return visitor.submit(form, { email });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.server.close();
  }
}
