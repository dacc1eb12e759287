import { setTimeout as pause } from 'node:timers/promises';

import { CLIENT_HEADER } from './round-robin.js';

/** An answer that a real client accepts as final. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Number of earlier attempts without an answer. Their changes may have been made. */
  readonly lost: number;
}

/** An answer that no client should receive, even while instances and databases restart. */
export interface Oddity {
  readonly call: string;
  readonly status: number;
  readonly text: string;
}

export interface Request {
  readonly json?: object;
  /** Sent instead of JSON. */
  readonly form?: () => FormData | URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 60_000;
const BETWEEN_MS = 100;

/** Retries each request until it is answered, as clients do. Records unexpected answers. */
export class PersistentClient {
  /** Shared by all clients of a test. */
  static readonly oddities: Oddity[] = [];

  constructor(
    private readonly url: string,
    private readonly name: string,
  ) {}

  async post(
    path: string,
    json: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.ask('POST', path, { json, headers });
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.ask('GET', path, { headers });
  }

  async upload(path: string, form: () => FormData): Promise<Answer> {
    return this.ask('POST', path, { form });
  }

  /** Submits the form of a page. */
  async submit(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    return this.ask('POST', path, { form: () => new URLSearchParams(fields), headers });
  }

  private async ask(method: string, path: string, request: Request): Promise<Answer> {
    for (let lost = 0; ;) {
      const answer = await this.attempt(method, path, request);
      if (answer === undefined) {
        lost += 1;
      } else if (answer.status === 503) {
        // A 503 from the service may hide a completed change, when the answer to a commit was lost.
        lost += answer.isOfProxy ? 0 : 1;
      } else {
        return { ...answer, lost };
      }
      await pause(BETWEEN_MS);
    }
  }

  /** Returns undefined if no answer arrived. */
  private async attempt(
    method: string,
    path: string,
    { json, form, headers = {} }: Request,
  ): Promise<(Pick<Answer, 'status' | 'headers' | 'body'> & { isOfProxy: boolean }) | undefined> {
    let response: Response;
    let body: Buffer;
    try {
      response = await fetch(`${this.url}${path}`, {
        ...{ method, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) },
        headers: {
          ...{ connection: 'close', [CLIENT_HEADER]: this.name },
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? (form?.() ?? null) : JSON.stringify(json),
      });
      body = Buffer.from(await response.arrayBuffer());
    } catch {
      return undefined;
    }
    const { status } = response;
    const isOfProxy = response.headers.has('via');
    if (status === 502 && isOfProxy) {
      return undefined;
    }
    const isOdd =
      status >= 500 && !(status === 503 && (isOfProxy || response.headers.has('retry-after')));
    if (isOdd) {
      const text = body.toString().slice(0, 500);
      PersistentClient.oddities.push({ call: `${method} ${path}`, status, text });
      return { status: 503, headers: response.headers, body, isOfProxy };
    }
    return { status, headers: response.headers, body, isOfProxy };
  }
}

/** Parses a JSON answer. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what it has asked for
export const jsonOf = <Members>({ body }: Answer): Members =>
  JSON.parse(body.toString()) as Members;
