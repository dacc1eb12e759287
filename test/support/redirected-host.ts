import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';

import type { TestApp } from './test-app.js';

type Answered = (response: IncomingMessage) => void;

/** A request as the client sent it. */
interface SentRequest {
  readonly method: string;
  readonly path: string;
}

export interface RedirectedHost {
  readonly sent: readonly SentRequest[];
  restore(): void;
}

/** Redirects all HTTPS requests of this process for a host to the service. Requests to other hosts throw. */
export function redirectedHost(host: string, app: TestApp): RedirectedHost {
  const sent: SentRequest[] = [];
  const { hostname, port } = new URL(app.url);
  const redirect = (...args: unknown[]): ClientRequest => {
    const options = optionsOf(args);
    if ((options.hostname ?? options.host) !== host) {
      throw new Error(`a test client called ${String(options.host)}`);
    }
    sent.push({ method: options.method ?? 'GET', path: options.path ?? '/' });
    const own = { protocol: 'http:', hostname, host: hostname, port, agent: false };
    return http.request({ ...options, ...own }, args.find(isAnswered));
  };
  const spy = jest.spyOn(https, 'request').mockImplementation(redirect);
  return {
    sent,
    restore: () => {
      spy.mockRestore();
    },
  };
}

const isAnswered = (value: unknown): value is Answered => typeof value === 'function';

/** Merges the arguments of `https.request`, which accepts a URL, options, or both. */
function optionsOf(args: unknown[]): RequestOptions {
  const [first, second] = args;
  const isUrl = typeof first === 'string' || first instanceof URL;
  const [fromUrl, rest] = isUrl ? [urlToHttpOptions(new URL(first)), second] : [{}, first];
  return { ...fromUrl, ...(isAnswered(rest) ? {} : (rest as RequestOptions)) };
}
