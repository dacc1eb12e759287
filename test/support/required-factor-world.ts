import type { Config } from '../../src/platform/config/config.js';
import { AccountApi, type Person, type SignedIn } from './account-api.js';
import { Authenticator, keyIn } from './authenticator.js';
import { aVisitor } from './oauth-api.js';
import { formIn, PageVisitor } from './page-visitor.js';
import { SITE } from './passkey-visitor.js';
import { aTestApp, type TestApp } from './test-app.js';

/** The page that asks for a second factor. */
export const ASK_PATH = '/auth/second-factor';
export const APP_PATH = '/account/second-factor';

type Group = Config['secondFactorRequiredFor'];

/** The service with a setting that requires a second factor, and users without one. */
export class RequiredFactorWorld {
  private constructor(
    readonly app: TestApp,
    readonly api: AccountApi,
  ) {}

  static async begin(config: Partial<Config> = {}): Promise<RequiredFactorWorld> {
    const app = await aTestApp({ config: { publicUrl: SITE, ...config } });
    const world = new RequiredFactorWorld(app, new AccountApi(app));
    // The first user is an administrator. The others are not.
    await world.api.registered();
    return world;
  }

  /** Changes the setting, as an operator does before a restart. */
  requireFor(group: Group): void {
    Object.assign(this.app.config, { secondFactorRequiredFor: group });
  }

  /** Does something while no user needs a second factor. */
  async before<T>(work: () => Promise<T>): Promise<T> {
    const group = this.app.config.secondFactorRequiredFor;
    this.requireFor('none');
    const result = await work();
    this.requireFor(group);
    return result;
  }

  /** Returns a browser of a user who has logged in by password, while no user needed a second factor. */
  aVisitor(): Promise<PageVisitor & { user: SignedIn }> {
    return this.before(() => aVisitor(this.app));
  }

  async visitorByPassword(user: Pick<Person, 'email' | 'password'>): Promise<PageVisitor> {
    const visitor = new PageVisitor(this.app);
    await visitor.logIn(user);
    return visitor;
  }

  /** Sets up an authenticator app. `next` is the page that the user wants to open afterwards. */
  async setUpApp(visitor: PageVisitor, password: string, next?: string) {
    const query = next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`;
    const page = await visitor.open(`${APP_PATH}${query}`).expect(200);
    const authenticator = new Authenticator(keyIn(page.text), this.app.clock);
    const fields = { current: password, otp: authenticator.code(), change: 'on' };
    return visitor.submit(formIn(page, APP_PATH), fields).expect(200);
  }
}
