import { aBreakingProxy, type Breakage, type BreakingProxy } from '../breaking-proxy.js';
import { ReadingListApi } from '../reading-list-api.js';
import { aTestApp, type TestApp } from '../test-app.js';
import { WallabagApi } from '../wallabag-api.js';
import type { Settings } from './device.js';

/** The service as apps reach it, over a network that a test can break. */
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

  /** A user with a list, whom a client of v3 acts for too, and what the user types into an app. */
  async user(): Promise<{ v3: ReadingListApi; settings: Settings }> {
    const v3 = await ReadingListApi.of(this.app);
    const { clientId, clientSecret } = (await WallabagApi.of(this.app)).client;
    const { email: username, password } = v3.user;
    const base = `${this.app.url}/wallabag`;
    return { v3, settings: { base, clientId, clientSecret, username, password } };
  }

  /** The same, of a server that is wrong. */
  broken(settings: Settings, breakage: Breakage): Settings {
    this.network.breakage = breakage;
    return { ...settings, base: `${this.network.url}/wallabag` };
  }

  /** All access tokens of the user come to their end, or all tokens. */
  async expireTokens({ user }: ReadingListApi, which: 'access' | 'all'): Promise<void> {
    const columns = which === 'access' ? ['access'] : ['access', 'refresh'];
    const ends = columns.map((name) => `${name}_expires_at = now()`).join(', ');
    await this.app.database.query(
      `UPDATE wallabag_tokens SET ${ends} FROM grants WHERE grants.id = grant_id AND user_id = $1`,
      [user.id],
    );
  }
}

/** Addresses of pages with names: `https://example.com/name`. */
export const pageAt = (name: string): string => `https://example.com/${name}`;

/** Saves pages through the v3 API, the first one first. */
export async function savePages(v3: ReadingListApi, ...names: readonly string[]): Promise<void> {
  await v3.results(...names.map((name) => ({ action: 'add', url: pageAt(name) })));
}

export const numbered = (count: number, name = 'page'): string[] =>
  Array.from({ length: count }, (_, at) => `${name}-${at}`);
