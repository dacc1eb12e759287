import http from 'node:http';
import { buffer } from 'node:stream/consumers';

type Members = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** What an app sends besides the method and the path. */
export interface Content {
  readonly headers?: Headers;
  readonly body?: string;
}

/** An answer as it comes; each app reads it in its own way. */
export interface DeviceAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** What a person types into an app. */
export interface Settings {
  readonly base: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
}

/** The network of one device: sends what an app says and nothing else, follows no redirect, and notes each call. */
export class Device {
  /** Method and path of each call, with the query. */
  readonly asked: string[] = [];
  private readonly agent = new http.Agent({ keepAlive: true });

  constructor(readonly base: string) {}

  ask(method: string, path: string, { headers, body }: Content = {}): Promise<DeviceAnswer> {
    this.asked.push(`${method} ${path}`);
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.agent, headers: { ...length, ...headers } };
      const sent = http.request(`${this.base}${path}`, options, (response) => {
        const { statusCode: status = 0, headers: received } = response;
        buffer(response).then((bytes) => {
          resolve({ status, headers: received, bytes });
        }, reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** The calls since the last time. */
  sinceLast(): string[] {
    return this.asked.splice(0);
  }

  close(): void {
    this.agent.destroy();
  }
}

/** A form as OkHttp and Dart send it. */
export const form = (members: Readonly<Record<string, string>>): Content => ({
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(members).toString(),
});

export const json = (members: Members): Content => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(members),
});

/** More headers than the content has by itself. */
export const headed = (content: Content, headers: Headers): Content => ({
  ...content,
  headers: { ...headers, ...content.headers },
});

/** A path with a query; what is undefined is left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      search.set(name, String(value));
    }
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}
