import { aBreakingProxy, type Breakage, type BreakingProxy } from '../breaking-proxy.js';
import { ReadingListApi } from '../reading-list-api.js';
import { aTestApp, type TestApp } from '../test-app.js';
import { WallabagApi } from '../wallabag-api.js';
import type { Settings } from './device.js';

/** The service as apps reach it, through a network that a test can break. */
export class ClientWorld {
  private constructor(
    readonly app: TestApp,
    private readonly network: BreakingProxy,
  ) {}

  static async begin(): Promise<ClientWorld> {
    const app = await aTestApp();
    return new ClientWorld(app, await aBreakingProxy(app.url));
  }

  async end(): Promise<void> {
    await this.network.close();
    await this.app.close();
  }

  /** Creates a user with a v3 client. `settings` are the values for a wallabag app. */
  async user(): Promise<{ v3: ReadingListApi; settings: Settings }> {
    const v3 = await ReadingListApi.of(this.app);
    const { clientId, clientSecret } = (await WallabagApi.of(this.app)).client;
    const { email: username, password } = v3.user;
    const base = `${this.app.url}/wallabag`;
    return { v3, settings: { base, clientId, clientSecret, username, password } };
  }

  /** Returns settings for a faulty server. */
  broken(settings: Settings, breakage: Breakage): Settings {
    this.network.breakage = breakage;
    return { ...settings, base: `${this.network.url}/wallabag` };
  }

  /** Expires the access tokens of the user, or all tokens. */
  async expireTokens({ user }: ReadingListApi, which: 'access' | 'all'): Promise<void> {
    const columns = which === 'access' ? ['access'] : ['access', 'refresh'];
    const ends = columns.map((name) => `${name}_expires_at = now()`).join(', ');
    await this.app.database.query(
      `UPDATE wallabag_tokens SET ${ends} FROM grants WHERE grants.id = grant_id AND user_id = $1`,
      [user.id],
    );
  }
}

/** Returns the URL of a named page: `https://example.com/name`. */
export const pageAt = (name: string): string => `https://example.com/${name}`;

/** Saves pages by v3, in this order. */
export async function savePages(v3: ReadingListApi, ...names: readonly string[]): Promise<void> {
  await v3.results(...names.map((name) => ({ action: 'add', url: pageAt(name) })));
}

export const numbered = (count: number, name = 'page'): string[] =>
  Array.from({ length: count }, (_, at) => `${name}-${at}`);
