import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Role } from '../../../src/auth/entities/user.entity.js';
import { UserAdministrationService } from '../../../src/auth/user-administration.service.js';
import { AccountApi, type SignedIn } from '../account-api.js';
import { CatalogueReader } from '../catalogue-reader.js';
import { ImportApi } from '../import-api.js';
import { Publisher } from '../list-publisher.js';
import { aVisitor } from '../oauth-api.js';
import { ReadingListApi } from '../reading-list-api.js';
import type { TestApp } from '../test-app.js';
import { WallabagApi } from '../wallabag-api.js';
import type { KnownValues } from './schema-values.js';

/** A word in all texts of Bob. No answer to Ada may contain it. */
export const WORD_OF_BOB = 'zanzibar';

const ANNOTATION = { quote: 'a quote', patch: 'p', version: 2 };

/** The names of all fields of all forms. */
const fieldNames = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.eta'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/ name="(\w+)"/g)])
    .map(([, name]) => name ?? '');

const FIELD_NAMES: readonly string[] = [...new Set(fieldNames('src/web'))].toSorted();

/** Two users: Ada, who sends all requests, and Bob, whose rows must not change. */
export class FuzzWorld {
  readonly fieldNames = FIELD_NAMES;
  private headersOfPages: Readonly<Record<string, string>> = {};
  private csrfToken = '';
  private isAdministrator = false;
  private values: Readonly<Record<string, readonly unknown[]>> = {};

  private constructor(
    private readonly app: TestApp,
    private readonly wallabag: WallabagApi,
    private readonly ofBob: Readonly<Record<string, readonly unknown[]>>,
    readonly bobId: string,
  ) {}

  static async of(app: TestApp): Promise<FuzzWorld> {
    const wallabag = await WallabagApi.of(app);
    const { api } = await Publisher.of(app, `List of ${WORD_OF_BOB}`);
    await save(api, `https://bob.example.com/${WORD_OF_BOB}/`, WORD_OF_BOB);
    const imported = await new ImportApi(app, api).imported(`https://${WORD_OF_BOB}.example.com/`);
    await CatalogueReader.of(app, api.user);
    await wallabag.tokens(api.user);
    const ids = await itemIds(api);
    await settled(app, api.user.id);
    return new FuzzWorld(app, wallabag, { ids, imports: [imported.id] }, api.user.id);
  }

  /** Makes another Ada with items: earlier requests may have logged out, or deleted the account. */
  async renew(): Promise<void> {
    const ada = await new AccountApi(this.app).signedIn();
    if (this.isAdministrator) {
      const users = this.app.app.get(UserAdministrationService);
      await users.setRole(ada.email, Role.Administrator);
    }
    const api = await ReadingListApi.of(this.app, { user: ada });
    const readOnly = await ReadingListApi.of(this.app, { user: ada, permissions: [] });
    await save(api, 'https://ada.example.com/', 'red');
    const ids = [...(await itemIds(api)), ...(this.ofBob['ids'] ?? [])];
    await this.openPages(ada);
    const times = [0, 1, Math.floor(Date.now() / 1000)];
    this.values = {
      ...{
        client_id: [this.wallabag.client.clientId],
        client_secret: [this.wallabag.client.clientSecret],
      },
      consumer_key: [...Array<string>(30).fill(api.consumerKey), readOnly.consumerKey],
      access_token: Array<string>(30).fill(ada.accessToken),
      refresh_token: [ada.refreshToken],
      ...{ email: [ada.email], password: [ada.password], username: [ada.email] },
      ...{ item_id: ids, id: [...ids, ...(this.ofBob['imports'] ?? [])], item: ids, items: ids },
      ...{ entry: ids, annotation_id: ['a-1'], since: times, time: times, tag: ['red', 'blue'] },
      ...{ tags: ['red', 'blue,red'], list: ['my list'], name: ['my list', 'red'] },
      ...{
        url: ['https://ada.example.com/1', 'https://ada.example.com/2'],
        _csrf: [this.csrfToken],
      },
    };
  }

  /** From the next Ada on, she is an administrator, who may change Bob's account. */
  makeAdministrator(): void {
    this.isAdministrator = true;
  }

  readonly known: KnownValues = (field) => [this.values[field] ?? []].flat();

  /** The headers and fields that prove who Ada is, for a path. */
  credentialsFor(path: string): {
    headers: Record<string, string>;
    fields: Record<string, string>;
  } {
    if (/^\/(?:wallabag\/api|opds)\b/.test(path)) {
      const name = path.startsWith('/opds') ? 'opds' : 'wallabag';
      return { headers: { authorization: this.headersOfPages[name] ?? '' }, fields: {} };
    }
    const headers = { cookie: this.headersOfPages['cookie'] ?? '', origin: this.app.url };
    return { headers, fields: { _csrf: this.csrfToken } };
  }

  private async openPages(ada: SignedIn): Promise<void> {
    const visitor = await aVisitor(this.app, ada);
    const tokens = await this.wallabag.tokens(ada);
    const reader = await CatalogueReader.of(this.app, ada);
    this.csrfToken = await visitor.csrfToken();
    this.headersOfPages = {
      cookie: visitor.agent.jar.getCookies({ ...COOKIES_OF, path: '/' }).toValueString(),
      wallabag: `Bearer ${tokens.access_token}`,
      opds: `Basic ${Buffer.from(`${ada.email}:${reader.password}`).toString('base64')}`,
    };
  }

  /** Returns a digest of Bob's rows for each table that has rows of users. */
  async rowsOfBob(): Promise<Record<string, string>> {
    const tables = await this.app.database.query<{ name: string; column: string }>(
      `SELECT c.table_name AS name, c.column_name AS column FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
         AND (c.column_name = 'user_id' OR (c.table_name = 'users' AND c.column_name = 'id'))`,
    );
    const digests = tables.map(async ({ name, column }): Promise<[string, string]> => {
      const [row] = await this.app.database.query<{ digest: string }>(
        `SELECT count(*) || ' ' || md5(coalesce(string_agg(r::text, E'\\n' ORDER BY r::text), '')) AS digest
         FROM "${name}" r WHERE "${column}"::text = $1`,
        [this.bobId],
      );
      return [name, row?.digest ?? ''];
    });
    return Object.fromEntries(await Promise.all(digests));
  }
}

/** Waits until no background work is left for a user. */
async function settled({ database }: TestApp, userId: string): Promise<void> {
  for (const table of ['page_requests', 'due_texts']) {
    while (
      (await database.query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [userId])).length > 0
    ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const COOKIES_OF = { domain: '127.0.0.1', secure: false, script: false };

async function save(api: ReadingListApi, url: string, word: string): Promise<void> {
  const actions = [1, 2, 3].map((n) => ({
    action: 'add',
    url: `${url}${n}`,
    title: `${word} ${n}`,
    tags: word,
  }));
  await api.send(actions).expect(200);
  const [first] = await itemIds(api);
  const annotation = { ...ANNOTATION, annotation_id: `${word}-1`, note: word };
  await api.send([{ action: 'add_annotation', item_id: first, annotation }]).expect(200);
}

const itemIds = async (api: ReadingListApi): Promise<string[]> =>
  Object.keys((await api.get({ count: 10 }).expect(200)).body.list as object);
