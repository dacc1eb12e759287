import { setTimeout as pause } from 'node:timers/promises';

import { CLIENT_HEADER } from './round-robin.js';

/** An answer that a real client takes for one. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** How many attempts before this one had no answer: what they asked for may have been done, or not. */
  readonly lost: number;
}

/** An answer that no client should see, however instances and databases come and go. */
export interface Oddity {
  readonly call: string;
  readonly status: number;
  readonly text: string;
}

export interface Request {
  readonly json?: object;
  /** In place of JSON. */
  readonly form?: () => FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 60_000;
const BETWEEN_MS = 100;

/** Sends requests until each has an answer, as clients do, and notes answers that should not have come. */
export class PersistentClient {
  /** Of all clients of one test. */
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

  private async ask(method: string, path: string, request: Request): Promise<Answer> {
    for (let lost = 0; ;) {
      const answer = await this.attempt(method, path, request);
      if (answer === undefined) {
        lost += 1;
      } else if (answer.status === 503) {
        // Where the service says so, the work may be done all the same: a commit whose answer did not come.
        lost += answer.isOfProxy ? 0 : 1;
      } else {
        return { ...answer, lost };
      }
      await pause(BETWEEN_MS);
    }
  }

  /** Undefined where no answer came. */
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

/** The members of an answer in JSON. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what it has asked for
export const jsonOf = <Members>({ body }: Answer): Members =>
  JSON.parse(body.toString()) as Members;
