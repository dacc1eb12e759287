import { hash } from 'node:crypto';

import { type Content, Device, type DeviceAnswer, headed, json, type Settings } from './device.js';
import {
  boolean,
  int,
  listOf,
  matching,
  object,
  optional,
  read,
  tag,
  text,
  UnreadableError,
} from './models.js';

/** An entry in Wallabagger. The script is lenient, but iterates over tags and shows any title value. */
export const WALLABAGGER_ENTRY = object({
  ...{ id: int, title: text, url: text, is_archived: int, is_starred: int },
  ...{ domain_name: optional(text), preview_picture: optional(text), tags: listOf(tag) },
});

type Entry = ReturnType<typeof WALLABAGGER_ENTRY>;

const VERSION = matching(/^\d+\.\d+\.\d+$/, 'version');
const TOKENS = object({ access_token: text, refresh_token: text, expires_in: int });

/** A failed call with the body of its answer. */
export class WallabaggerError extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(`status ${status}`);
  }
}

/** Wallabagger, a browser extension. It is a script of another origin, so the browser sends CORS preflight requests. */
export class Wallabagger {
  readonly device: Device;
  private token: string | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly origin = 'chrome-extension://gbmgphmejlcoihgedabhgjdkcahacjlj',
  ) {
    this.device = new Device(settings.base);
  }

  /** Returns the version. `asksForClient` is true if the pages show no client credentials. */
  async checkAddress(): Promise<{ readonly version: string; readonly asksForClient: boolean }> {
    const { bytes } = await this.fetch('GET', '/api/version');
    const page = await this.device.ask('GET', '/developer');
    const isRedirect = page.status >= 300 && page.status < 400;
    const asksForClient = isRedirect || !page.bytes.toString().includes('<code>');
    return { version: read(bytes, VERSION), asksForClient };
  }

  async logIn(): Promise<void> {
    const { clientId: client_id, clientSecret: client_secret, username, password } = this.settings;
    const members = { grant_type: 'password', client_id, client_secret, username, password };
    const { bytes } = await this.fetch('POST', '/oauth/v2/token', json(members));
    this.token = read(bytes, TOKENS).access_token;
  }

  /** Checks an address by its hash, without the fragment. */
  async has(url: string): Promise<boolean> {
    const [address = ''] = url.split('#');
    const path = `/api/entries/exists.json?hashed_url=${hash('sha1', address)}`;
    return read((await this.call('GET', path)).bytes, object({ exists: boolean })).exists;
  }

  async save(members: Readonly<Record<string, unknown>>): Promise<Entry> {
    return entryIn(await this.call('POST', '/api/entries.json', json(members)));
  }

  async change(id: number, members: Readonly<Record<string, unknown>>): Promise<Entry> {
    return entryIn(await this.call('PATCH', `/api/entries/${id}.json`, json(members)));
  }

  async untag(id: number, tagId: number): Promise<Entry> {
    return entryIn(await this.call('DELETE', `/api/entries/${id}/tags/${tagId}.json`));
  }

  async delete(id: number): Promise<void> {
    read((await this.call('DELETE', `/api/entries/${id}.json`)).bytes, object({ title: text }));
  }

  async tags(): Promise<string[]> {
    const { bytes } = await this.call('GET', '/api/tags.json');
    return read(bytes, listOf(tag)).map(({ label }) => label);
  }

  /** Sends a call with a token. If the token is refused, gets a new one with the password. */
  private async call(method: string, path: string, content: Content = {}): Promise<DeviceAnswer> {
    if (this.token === undefined) {
      await this.logIn();
    }
    try {
      return await this.fetch(method, path, this.asUser(content));
    } catch (error) {
      if (!(error instanceof WallabaggerError && error.status === 401)) {
        throw error;
      }
    }
    await this.logIn();
    return this.fetch(method, path, this.asUser(content));
  }

  private asUser(content: Content): Content {
    return headed(content, { Authorization: `Bearer ${this.token ?? ''}` });
  }

  /** Simulates the browser: sends a preflight request, and hides answers that CORS does not allow. */
  private async fetch(method: string, path: string, content: Content = {}): Promise<DeviceAnswer> {
    const Origin = this.origin;
    const asked = await this.device.ask('OPTIONS', path, {
      headers: {
        ...{ Origin, 'Access-Control-Request-Method': method },
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json', Origin };
    const answer = await this.device.ask(method, path, headed(content, headers));
    const allowed = String(asked.headers['access-control-allow-methods']);
    if (asked.status >= 300 || !allowed.includes(method)) {
      throw new UnreadableError(`leave for ${method} expected, not ${allowed}`);
    }
    if (!['*', Origin].includes(String(answer.headers['access-control-allow-origin']))) {
      throw new UnreadableError('an answer for this origin expected');
    }
    return succeeded(answer);
  }
}

const entryIn = ({ bytes }: DeviceAnswer): Entry => read(bytes, WALLABAGGER_ENTRY);

/** The script also parses error bodies as JSON. */
function succeeded(answer: DeviceAnswer): DeviceAnswer {
  if (answer.status < 200 || answer.status > 299) {
    throw new WallabaggerError(answer.status, read(answer.bytes, object({})));
  }
  return answer;
}
