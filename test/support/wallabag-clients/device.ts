import http from 'node:http';
import { buffer } from 'node:stream/consumers';

type Members = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** Headers and body that an app sends. */
export interface Content {
  readonly headers?: Headers;
  readonly body?: string;
}

/** An unparsed answer. Each app parses it in its own way. */
export interface DeviceAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Values that a person enters in an app. */
export interface Settings {
  readonly base: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
}

/** The network of one device. Sends exactly what the app passes, follows no redirects, and records each call. */
export class Device {
  /** Method and path of each call, including the query. */
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

  /** Returns the calls since the previous use. */
  sinceLast(): string[] {
    return this.asked.splice(0);
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Encodes a form as OkHttp and Dart do. */
export const form = (members: Readonly<Record<string, string>>): Content => ({
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(members).toString(),
});

export const json = (members: Members): Content => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(members),
});

/** Adds headers to the content's own headers. */
export const headed = (content: Content, headers: Headers): Content => ({
  ...content,
  headers: { ...headers, ...content.headers },
});

/** Appends a query to a path. Omits undefined values. */
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
