import {
  type Content,
  Device,
  type DeviceAnswer,
  headed,
  json,
  type Settings,
  withQuery,
} from './device.js';
import {
  int,
  listOf,
  matching,
  number,
  object,
  optional,
  pageOf,
  read,
  tag,
  text,
  UnreadableError,
} from './models.js';

/** The decoder reads a string, which a formatter parses. In another format, the entry has no date. */
const date = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:?\d\d)$/, 'date of seconds');

/** An entry in wallabag's iOS app (Swift's Codable). Null and missing members are equal; wrong types are errors. */
export const IOS_ENTRY = object({
  ...{ id: int, is_archived: int, is_starred: int, created_at: date, updated_at: date },
  ...{ title: optional(text), url: optional(text), content: optional(text), uid: optional(text) },
  ...{ user_id: optional(int), reading_time: optional(int), tags: optional(listOf(tag)) },
  ...{ mimetype: optional(text), language: optional(text), domain_name: optional(text) },
  preview_picture: optional(text),
});

type Entry = ReturnType<typeof IOS_ENTRY>;

export const IOS_PAGE = pageOf(IOS_ENTRY);

const TOKENS = object({
  access_token: text,
  refresh_token: text,
  token_type: text,
  expires_in: int,
});

const CONFIG = object({
  ...{ id: int, items_per_page: int, language: text, feed_limit: int },
  ...{ reading_speed: number, action_mark_as_read: int, list_mode: int },
});

const REFUSAL = object({ error: text, error_description: text });

const HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

/** The app's error message for a 400 or 401. */
export class IosRefusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
  ) {
    super(`${status}: ${reason}`);
  }
}

/** wallabag's iOS app. It logs in at each start, never refreshes a token, and fetches pages until one is unreadable. */
export class IosApp {
  readonly device: Device;
  /** Entries on the device, keyed by id. */
  readonly entries = new Map<number, Entry>();
  tags: readonly string[] = [];
  /** Undefined if the app kept its defaults. */
  config: ReturnType<typeof CONFIG> | undefined;
  private token = '';

  constructor(private readonly settings: Settings) {
    this.device = new Device(settings.base);
  }

  async start(): Promise<void> {
    const { clientId: client_id, clientSecret: client_secret, username, password } = this.settings;
    const members = { grant_type: 'password', client_id, client_secret, username, password };
    const answer = await this.device.ask('POST', '/oauth/v2/token', headed(json(members), HEADERS));
    this.token = read(accepted(answer).bytes, TOKENS).access_token;
    const { bytes } = await this.call('GET', '/api/config');
    try {
      this.config = read(bytes, CONFIG);
    } catch (error) {
      this.config = undefined;
      if (!(error instanceof UnreadableError)) {
        throw error;
      }
    }
  }

  /** Entries not seen before the list ends are deleted on the device, even if an error ended the list. */
  async sync(): Promise<void> {
    this.tags = read((await this.call('GET', '/api/tags')).bytes, listOf(tag)).map(
      ({ label }) => label,
    );
    const seen = new Set<number>();
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const items = await this.page(page);
      if (items === undefined) {
        this.forgetAllBut(seen);
        return;
      }
      items.forEach((entry) => {
        seen.add(entry.id);
        this.entries.set(entry.id, entry);
      });
    }
    throw new Error('The sync does not end.');
  }

  /** Saves an address from the app, or from the share sheet with the page's title and content. */
  async save(url: string, page: { title?: string; content?: string } = {}): Promise<Entry> {
    const { title = null, content = null } = page;
    return this.known(await this.call('POST', '/api/entries', json({ url, title, content })));
  }

  async change(id: number, members: { archive?: boolean; starred?: boolean }): Promise<Entry> {
    const sent = Object.entries(members).map(([name, value]) => [name, Number(value)]);
    const body = json(Object.fromEntries(sent) as object as Record<string, unknown>);
    return this.known(await this.call('PATCH', `/api/entries/${id}.json`, body));
  }

  async tag(id: number, label: string): Promise<Entry> {
    return this.known(await this.call('POST', `/api/entries/${id}/tags`, json({ tags: label })));
  }

  async untag(id: number, tagId: number): Promise<Entry> {
    return this.known(await this.call('DELETE', `/api/entries/${id}/tags/${tagId}`));
  }

  /** Returns undefined if the page could not be fetched again. */
  async reload(id: number): Promise<Entry | undefined> {
    const answer = await this.call('PATCH', `/api/entries/${id}/reload`);
    return answer.status === 304 ? undefined : this.known(answer);
  }

  async delete(id: number): Promise<void> {
    const { bytes } = await this.call('DELETE', `/api/entries/${id}`);
    expect(read(bytes, IOS_ENTRY).id).toBe(id);
    this.entries.delete(id);
  }

  async call(method: string, path: string, content: Content = {}): Promise<DeviceAnswer> {
    const headers = { ...HEADERS, Authorization: `Bearer ${this.token}` };
    return accepted(await this.device.ask(method, path, headed(content, headers)));
  }

  /** Returns undefined for any error, which the app takes as the end of the list. */
  private async page(page: number): Promise<readonly Entry[] | undefined> {
    const path = withQuery('/api/entries.json', { page, perPage: 50, order: 'desc' });
    try {
      return read((await this.call('GET', path)).bytes, IOS_PAGE)._embedded.items;
    } catch (error) {
      if (error instanceof UnreadableError || error instanceof IosRefusal) {
        return undefined;
      }
      throw error;
    }
  }

  private forgetAllBut(seen: ReadonlySet<number>): void {
    for (const id of [...this.entries.keys()].filter((one) => !seen.has(one))) {
      this.entries.delete(id);
    }
  }

  private known({ bytes }: DeviceAnswer): Entry {
    const entry = read(bytes, IOS_ENTRY);
    this.entries.set(entry.id, entry);
    return entry;
  }
}

const MOST_PAGES = 250;

/** The app recognizes other errors only by their body. */
function accepted(answer: DeviceAnswer): DeviceAnswer {
  if (answer.status === 400 || answer.status === 401) {
    throw new IosRefusal(answer.status, read(answer.bytes, REFUSAL).error_description);
  }
  return answer;
}
