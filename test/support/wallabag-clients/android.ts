import { hash } from 'node:crypto';

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
  int32,
  laxDate,
  listOf,
  object,
  orNull,
  pageOf,
  read,
  type Reads,
  tag,
  text,
  UnreadableError,
} from './models.js';

/** Converts the value to text first, as the app does. Its parser rejects boolean literals. */
const numericBoolean: Reads<boolean> = (value) => {
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw new UnreadableError(`0 or 1 expected, not ${JSON.stringify(value)}`);
  }
  return String(value) === '1';
};

const range = object({ start: text, end: text, startOffset: int32, endOffset: int32 });

const ANNOTATION = object({
  ...{ id: int32, text, quote: text, ranges: listOf(range) },
  ...{ created_at: laxDate, updated_at: laxDate },
});

/**
 * An article in wallabag's Android app (Moshi). Integers are Java `int`, primitives are never null, and the app
 * iterates over tags and annotations.
 */
export const ANDROID_ARTICLE = object({
  ...{ id: int32, title: text, url: text, given_url: text, content: orNull(text) },
  ...{ is_archived: numericBoolean, is_starred: numericBoolean, is_public: orNull(boolean) },
  ...{ tags: listOf(tag), annotations: listOf(ANNOTATION), reading_time: int32 },
  ...{ created_at: laxDate, updated_at: laxDate, starred_at: orNull(laxDate) },
  ...{ published_at: orNull(laxDate), published_by: orNull(listOf(text)) },
  ...{ domain_name: orNull(text), preview_picture: orNull(text), language: orNull(text) },
  ...{ mimetype: orNull(text), origin_url: orNull(text), uid: orNull(text) },
});

type Article = ReturnType<typeof ANDROID_ARTICLE>;

export const ANDROID_PAGE = pageOf(ANDROID_ARTICLE, int32);

const TOKENS = object({ access_token: text, refresh_token: text, expires_in: int32 });

/** An answer that makes the app's library throw and stop its queue. */
export class AndroidRefusal extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`);
  }
}

/** wallabag's Android app, based on the Java wrapper of the API. */
export class AndroidApp {
  readonly device: Device;
  /** Articles on the device, keyed by id. */
  readonly articles = new Map<number, Article>();
  tags: readonly string[] = [];
  private since = 0;
  private tokens: { readonly access_token: string; readonly refresh_token: string } | undefined;

  constructor(private readonly settings: Settings) {
    this.device = new Device(settings.base);
  }

  /** Runs the app's connection test. Returns false if the app would report no access. */
  async test(): Promise<boolean> {
    const version = await this.device.ask('GET', '/api/version.json', headed({}, ANY));
    const isNewEnough = read(version.bytes, text) >= '2.1.3';
    return isNewEnough && !(await this.exists('wallabag-apiwrapper-test.example.com'));
  }

  async fullSync(): Promise<void> {
    this.articles.clear();
    await this.readTags();
    await this.pages({ perPage: 30, sort: 'created', order: 'asc', detail: 'full', since: 0 });
  }

  /** Fetches changes since the latest one that the app has seen. */
  async fastSync(): Promise<void> {
    await this.readTags();
    await this.pages({ perPage: 30, sort: 'updated', order: 'asc', since: this.since });
  }

  /**
   * Removes entries that were deleted elsewhere. If the server has fewer entries, asks for all by the hashes of their
   * URLs.
   */
  async sweep(): Promise<void> {
    const one = withQuery('/api/entries.json', { perPage: 1, detail: 'metadata' });
    const { total } = read((await this.call('GET', one)).bytes, ANDROID_PAGE);
    if (total >= this.articles.size) {
      return;
    }
    const all = [...this.articles.values()];
    for (let at = 0; at < all.length; at += HASHES) {
      await this.sweepPart(all.slice(at, at + HASHES));
    }
  }

  async save(url: string): Promise<Article> {
    return this.known(await this.call('POST', '/api/entries.json', form({ url })));
  }

  async change(id: number, members: Readonly<Record<string, string>>): Promise<Article> {
    return this.known(await this.call('PATCH', `/api/entries/${id}.json`, form(members)));
  }

  async untag(id: number, tagId: number): Promise<Article> {
    return this.known(await this.call('DELETE', `/api/entries/${id}/tags/${tagId}.json`));
  }

  async annotate(id: number, members: object): Promise<ReturnType<typeof ANNOTATION>> {
    const answer = await this.call('POST', `/api/annotations/${id}.json`, json({ ...members }));
    return read(answer.bytes, ANNOTATION);
  }

  /** A 404 counts as success if the server confirms that the entry is gone. */
  async delete(id: number): Promise<void> {
    try {
      const answer = await this.call('DELETE', `/api/entries/${id}.json?expect=id`);
      expect(read(answer.bytes, object({ id: int32 }))).toEqual({ id });
    } catch (error) {
      if (!(error instanceof AndroidRefusal && error.status === 404 && (await this.test()))) {
        throw error;
      }
    }
    this.articles.delete(id);
  }

  async book(id: number): Promise<Buffer> {
    return (await this.call('GET', `/api/entries/${id}/export.epub`)).bytes;
  }

  async call(method: string, path: string, content: Content = {}): Promise<DeviceAnswer> {
    const first = this.tokens && (await this.asUser(method, path, content));
    if (first !== undefined && first.status !== 401) {
      return successful(first);
    }
    await this.authorize();
    return successful(await this.asUser(method, path, content));
  }

  private asUser(method: string, path: string, content: Content): Promise<DeviceAnswer> {
    const authorization = { Authorization: `Bearer ${this.tokens?.access_token ?? ''}` };
    return this.device.ask(method, path, headed(content, { ...ANY, ...authorization }));
  }

  /** Uses the refresh token. Falls back to the password only after a status of exactly 400. */
  private async authorize(): Promise<void> {
    if (this.tokens !== undefined) {
      const { refresh_token } = this.tokens;
      const answer = await this.askTokens({ grant_type: 'refresh_token', refresh_token });
      if (answer.status !== 400) {
        this.tokens = read(successful(answer).bytes, TOKENS);
        return;
      }
    }
    const { username, password } = this.settings;
    const answer = await this.askTokens({ grant_type: 'password', username, password });
    this.tokens = read(successful(answer).bytes, TOKENS);
  }

  private askTokens(members: Readonly<Record<string, string>>): Promise<DeviceAnswer> {
    const { clientId: client_id, clientSecret: client_secret } = this.settings;
    return this.device.ask(
      ...(['POST', '/oauth/v2/token'] as const),
      form({ client_id, client_secret, ...members }),
    );
  }

  private async readTags(): Promise<void> {
    const { bytes } = await this.call('GET', '/api/tags.json');
    this.tags = read(bytes, listOf(tag)).map(({ label }) => label);
  }

  private async pages(query: Readonly<Record<string, string | number>>): Promise<void> {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const path = withQuery('/api/entries.json', { page, ...query });
      const list = read((await this.call('GET', path)).bytes, ANDROID_PAGE);
      ({ pages } = list);
      list._embedded.items.forEach((article) => this.keep(article));
    }
  }

  private async sweepPart(articles: readonly Article[]): Promise<void> {
    const hashes = new Map(articles.map(({ id, url }) => [hash('sha1', url), id]));
    const query = [...hashes.keys()].map((one) => `hashed_urls[]=${one}`).join('&');
    const { bytes } = await this.call('GET', `/api/entries/exists.json?${query}`);
    const answer = JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>>;
    for (const [hashed, id] of hashes) {
      if (!boolean(answer[hashed]) && (await this.isGone(id))) {
        this.articles.delete(id);
      }
    }
  }

  private async isGone(id: number): Promise<boolean> {
    try {
      await this.call('GET', `/api/entries/${id}/tags.json`);
      return false;
    } catch (error) {
      return error instanceof AndroidRefusal && error.status === 404;
    }
  }

  private async exists(url: string): Promise<boolean> {
    const { bytes } = await this.call('GET', withQuery('/api/entries/exists.json', { url }));
    return read(bytes, object({ exists: boolean })).exists;
  }

  private known({ bytes }: DeviceAnswer): Article {
    return this.keep(read(bytes, ANDROID_ARTICLE));
  }

  private keep(article: Article): Article {
    this.since = Math.max(this.since, Date.parse(article.updated_at) / 1000);
    this.articles.set(article.id, article);
    return article;
  }
}

const ANY = { Accept: '*/*' };
/** The number of hashes in one call. */
const HASHES = 70;

function successful(answer: DeviceAnswer): DeviceAnswer {
  if (answer.status < 200 || answer.status > 299) {
    throw new AndroidRefusal(answer.status);
  }
  return answer;
}
