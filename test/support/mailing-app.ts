import type { Config } from '../../src/platform/config/config.js';
import { Mailer } from '../../src/platform/mail/mailer.js';
import { AccountApi } from './account-api.js';
import { linkIn, MailServer } from './mail-server.js';
import { PageVisitor } from './page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from './test-app.js';

/** The whole service with a mail server of its own. */
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
    // The address of the first user counts as verified: those of the tests come later.
    await new AccountApi(app).registered();
    const mailing = new MailingApp(server, app);
    mailing.set({ publicUrl: new URL(app.url) });
    return mailing;
  }

  /** The service reads these settings anew for each call. */
  set(settings: Partial<Config>): void {
    Object.assign(this.app.config, settings);
  }

  /** When no mail is under way any more. */
  idle(): Promise<void> {
    return this.app.app.get(Mailer).idle();
  }

  /** The path of the link in the mail that an address gets as its `count`th. */
  async linkTo(email: string, count = 1): Promise<string> {
    return linkIn(await this.server.mailTo(email, count), this.app.url);
  }

  /** Sends the form of a lost password. */
  async forget(email: string, visitor = new PageVisitor(this.app)) {
    const form = await visitor.form('/auth/forgot', '/auth/forgot');
    return visitor.submit(form, { email });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.server.close();
  }
}
