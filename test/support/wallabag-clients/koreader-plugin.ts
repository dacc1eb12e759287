import { Device, type DeviceAnswer, headed, json, type Settings, withQuery } from './device.js';
import {
  int,
  listOf,
  number,
  object,
  pageOf,
  read,
  type Reads,
  tag,
  text,
  UnreadableError,
} from './models.js';

/** LuaJIT writes numbers with 14 digits. A longer id gets an exponent, so its path is wrong. */
const luaNumber: Reads<string> = (value) => {
  const id = number(value);
  return Math.abs(id) < 1e14 ? String(id) : id.toExponential(13);
};

/**
 * An article in KOReader's plugin. Its JSON library represents null as a function, which fails in string concatenation.
 */
export const KOREADER_ARTICLE = object({
  ...{ id: luaNumber, title: text, url: text, tags: listOf(tag), is_archived: number },
});

type Article = ReturnType<typeof KOREADER_ARTICLE>;

export const KOREADER_PAGE = pageOf(KOREADER_ARTICLE);

const TOKENS = object({ access_token: text, expires_in: int });

/** The error "communication failed" of the plugin. */
export class KOReaderFailure extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`);
  }
}

interface Wanted {
  /** Number of articles per download, and per page. */
  readonly most?: number;
  readonly tag?: string;
  readonly isStarred?: boolean;
}

/** KOReader's wallabag plugin, which downloads unread articles as books. */
export class KOReaderPlugin {
  readonly device: Device;
  /** Books by file name. The name starts with the article id, by which the plugin identifies the book. */
  readonly books = new Map<string, Buffer>();
  private readonly queue: object[] = [];
  private token = '';

  constructor(private readonly settings: Settings) {
    this.device = new Device(settings.base);
  }

  /** Logs in. The plugin does so at each sync, unless its token is valid for some more minutes. */
  async logIn(): Promise<void> {
    const { clientId: client_id, clientSecret: client_secret, username, password } = this.settings;
    const members = { grant_type: 'password', client_id, client_secret, username, password };
    const content = headed(json(members), { Accept: 'application/json, */*' });
    const answer = await this.device.ask('POST', '/oauth/v2/token', content);
    this.token = read(jsonIn(answer), TOKENS).access_token;
  }

  /** Queues an address for the next sync. */
  add(url: string, tags: string): void {
    this.queue.push({ url, tags });
  }

  async sync(wanted: Wanted = {}): Promise<void> {
    await this.logIn();
    for (const one of this.queue.splice(0)) {
      jsonIn(await this.send('POST', '/api/entries.json', one));
    }
    for (const article of await this.unread(wanted)) {
      const file = `[w-id_${article.id}] ${article.title}.epub`;
      if (!this.books.has(file)) {
        this.books.set(file, await this.download(article));
      }
    }
  }

  /** Handles a finished book. The plugin reads the article id from the file name. */
  async finish(file: string, { review, isToBeDeleted = false }: Finished = {}): Promise<void> {
    const [, id = ''] = /^\[w-id_([^\]]+)\]/.exec(file) ?? [];
    if (review !== undefined) {
      jsonIn(await this.send('POST', `/api/entries/${id}/tags.json`, { tags: review }));
    }
    const path = `/api/entries/${id}.json`;
    jsonIn(await (isToBeDeleted ? this.send('DELETE', path) : this.send('PATCH', path, ARCHIVED)));
    this.books.delete(file);
  }

  /** The plugin does not encode the tag in the query. */
  private async unread({ most = 30, tag: label, isStarred }: Wanted): Promise<readonly Article[]> {
    const found: Article[] = [];
    for (let page = 1, pages = 1; page <= pages && found.length < most; page += 1) {
      const filters = `${isStarred === true ? '&starred=1' : ''}${label === undefined ? '' : `&tags=${label}`}`;
      const query = withQuery('/api/entries.json', { archive: 0, page, perPage: most });
      const answer = await this.send('GET', `${query}${filters}`);
      const list = read(jsonIn(answer), KOREADER_PAGE);
      ({ pages } = list);
      found.push(...list._embedded.items);
    }
    return found.slice(0, most);
  }

  /** The plugin saves any body with status 200 as the book. */
  private async download({ id }: Article): Promise<Buffer> {
    const { status, bytes } = await this.send('GET', `/api/entries/${id}/export.epub`);
    if (status !== 200) {
      throw new KOReaderFailure(status);
    }
    return bytes;
  }

  private send(method: string, path: string, members?: object): Promise<DeviceAnswer> {
    const headers = { Authorization: `Bearer ${this.token}` };
    const content = members === undefined ? {} : json({ ...members });
    return this.device.ask(method, path, headed(content, headers));
  }
}

interface Finished {
  /** The person's review, which becomes tags. */
  readonly review?: string;
  readonly isToBeDeleted?: boolean;
}

const ARCHIVED = { archive: 1 };

/** Only status 200 is a success, and JSON must start with a brace. */
function jsonIn({ status, bytes }: DeviceAnswer): Buffer {
  if (status !== 200) {
    throw new KOReaderFailure(status);
  }
  if (!bytes.toString().startsWith('{')) {
    throw new UnreadableError(`{ expected, not ${bytes.toString().slice(0, 20)}`);
  }
  return bytes;
}
