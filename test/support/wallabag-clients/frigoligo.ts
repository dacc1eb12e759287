import {
  type Content,
  Device,
  type DeviceAnswer,
  form,
  headed,
  json,
  type Settings,
  withQuery,
} from './device.js';
import {
  boolean,
  int,
  laxDate,
  listOf,
  mapOf,
  matching,
  object,
  optional,
  pageOf,
  read,
  tag,
  text,
} from './models.js';

const ANNOTATION = object({ id: int, text, quote: text, created_at: laxDate, updated_at: laxDate });

/** An entry in Frigoligo (Dart, generated code). Casts throw for a wrong type, and for an unexpected null. */
export const FRIGOLIGO_ENTRY = object({
  ...{ id: int, created_at: laxDate, updated_at: laxDate, reading_time: int },
  ...{ is_archived: int, is_starred: int, is_public: boolean, tags: listOf(tag) },
  ...{ user_id: int, user_name: text, user_email: text },
  ...{ title: optional(text), content: optional(text), url: optional(text), uid: optional(text) },
  ...{ archived_at: optional(laxDate), starred_at: optional(laxDate) },
  ...{ published_at: optional(laxDate), published_by: optional(listOf(text)) },
  ...{ annotations: optional(listOf(ANNOTATION)), headers: optional(mapOf(optional(text))) },
  ...{ domain_name: optional(text), language: optional(text), mimetype: optional(text) },
  ...{ preview_picture: optional(text), origin_url: optional(text), http_status: optional(text) },
  ...{ hashed_url: optional(text), given_url: optional(text), hashed_given_url: optional(text) },
});

type Entry = ReturnType<typeof FRIGOLIGO_ENTRY>;

export const FRIGOLIGO_PAGE = pageOf(FRIGOLIGO_ENTRY);

const INFO = object({
  // The app throws for an unknown name and does not catch that error.
  appname: matching(/^wallabag$/, 'name of a server that it knows'),
  version: matching(/^[2-9]\.([2-9]|\d\d)\.\d+$/, 'version from 2.2.0 on'),
  allowed_registration: boolean,
});

const TOKENS = object({ access_token: text, expires_in: int, refresh_token: text });

const REFUSAL = object({ error: text, error_description: text });

/** An unexpected status. */
export class FrigoligoError extends Error {
  constructor(
    readonly status: number,
    readonly isLoggedOut: boolean,
  ) {
    super(`status ${status}`);
  }
}

/** Frigoligo stores no password. It refreshes its token and is logged out if the refresh is refused. */
export class Frigoligo {
  readonly device: Device;
  /** Entries on the device, keyed by id. */
  readonly entries = new Map<number, Entry>();
  /** Simulates that the token has expired by the app's own clock. */
  isTokenExpired = false;
  private tokens = { access_token: '', refresh_token: '' };

  constructor(private readonly settings: Settings) {
    this.device = new Device(settings.base);
  }

  /** Makes the requests that the app makes before it shows the login fields. */
  async checkServer(): Promise<string> {
    const origin = new Device(new URL(this.settings.base).origin);
    const icon = await origin.ask('HEAD', '/favicon.ico');
    origin.close();
    expect(icon.status).toBeLessThan(500);
    const info = await this.device.ask('GET', '/api/info', headed({}, JSON_TYPE));
    return read(expected(info).bytes, INFO).version;
  }

  logIn(): Promise<void> {
    const { username, password } = this.settings;
    return this.authenticate({ grant_type: 'password', username, password });
  }

  async firstSync(): Promise<void> {
    await this.pages({}, (entry) => this.entries.set(entry.id, entry));
  }

  /** Fetches each changed entry separately. Then removes deleted entries if the server has fewer. */
  async sync(since: number): Promise<void> {
    const changed: number[] = [];
    await this.pages({ perPage: 300, since, detail: 'metadata' }, ({ id }) => changed.push(id));
    for (const id of changed) {
      const { bytes } = await this.call('GET', `/api/entries/${id}`);
      this.entries.set(id, read(bytes, FRIGOLIGO_ENTRY));
    }
    const one = withQuery('/api/entries', { perPage: 1, detail: 'metadata' });
    const { total } = read((await this.call('GET', one)).bytes, FRIGOLIGO_PAGE);
    if (total < this.entries.size) {
      await this.forgetDeleted();
    }
  }

  async save(url: string, tags: readonly string[]): Promise<Entry> {
    const answer = await this.call('POST', '/api/entries', json({ url, tags: tags.join(',') }));
    return this.known(answer);
  }

  async change(id: number, members: Readonly<Record<string, unknown>>): Promise<Entry> {
    return this.known(await this.call('PATCH', `/api/entries/${id}`, json(members)));
  }

  /** A missing entry is not an error. */
  async delete(id: number): Promise<void> {
    await this.call('DELETE', `/api/entries/${id}`, {}, [200, 404]);
    this.entries.delete(id);
  }

  /** Returns false if the page could not be fetched again. */
  async reload(id: number): Promise<boolean> {
    const answer = await this.call('PATCH', `/api/entries/${id}/reload`, {}, [200, 304]);
    return answer.status === 200 && this.known(answer).id === id;
  }

  async call(
    method: string,
    path: string,
    content: Content = {},
    statuses: readonly number[] = [200],
  ): Promise<DeviceAnswer> {
    if (this.isTokenExpired) {
      const { refresh_token } = this.tokens;
      await this.authenticate({ grant_type: 'refresh_token', refresh_token });
    }
    const authorization = { Authorization: `Bearer ${this.tokens.access_token}` };
    const sent = headed(content, { ...JSON_TYPE, ...authorization });
    return expected(await this.device.ask(method, path, sent), statuses);
  }

  private async authenticate(grant: Readonly<Record<string, string>>): Promise<void> {
    const { clientId: client_id, clientSecret: client_secret } = this.settings;
    const content = form({ client_id, client_secret, ...grant });
    const answer = await this.device.ask('POST', '/oauth/v2/token', content);
    this.tokens = read(expected(answer).bytes, TOKENS);
    this.isTokenExpired = false;
  }

  private async forgetDeleted(): Promise<void> {
    const there = new Set<number>();
    await this.pages({ perPage: 300, detail: 'metadata' }, ({ id }) => there.add(id));
    for (const id of [...this.entries.keys()].filter((one) => !there.has(one))) {
      this.entries.delete(id);
    }
  }

  private async pages(
    query: Readonly<Record<string, string | number>>,
    take: (entry: Entry) => unknown,
  ): Promise<void> {
    for (let page = 1, pages = 2; page <= pages; page += 1) {
      const { bytes } = await this.call('GET', withQuery('/api/entries', { page, ...query }));
      const list = read(bytes, FRIGOLIGO_PAGE);
      ({ pages } = list);
      list._embedded.items.forEach(take);
    }
  }

  private known({ bytes }: DeviceAnswer): Entry {
    const entry = read(bytes, FRIGOLIGO_ENTRY);
    this.entries.set(entry.id, entry);
    return entry;
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

function expected(answer: DeviceAnswer, statuses: readonly number[] = [200]): DeviceAnswer {
  if (!statuses.includes(answer.status)) {
    const { error, error_description: description } = read(answer.bytes, REFUSAL);
    const isOfRefresh = description.toLowerCase().includes('refresh token');
    throw new FrigoligoError(answer.status, error === 'invalid_grant' && isOfRefresh);
  }
  return answer;
}
