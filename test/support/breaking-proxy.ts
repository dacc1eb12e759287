import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProxiedRequest {
  method: string;
  /** Includes the query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface ProxiedAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** A fault of a server. If `request` returns an answer, the service does not receive the request. */
export interface Breakage {
  readonly request?: (request: ProxiedRequest) => ProxiedAnswer | undefined;
  readonly answer?: (answer: ProxiedAnswer, request: ProxiedRequest) => void;
}

export interface BreakingProxy {
  readonly url: string;
  breakage: Breakage;
  close(): Promise<unknown>;
}

/** Starts a proxy in front of the service that modifies requests and answers. */
export async function aBreakingProxy(target: string): Promise<BreakingProxy> {
  const proxy = { breakage: {} as Breakage };
  const server = http.createServer((incoming, outgoing) => {
    void textOf(incoming).then(async (body) => {
      const { method = '', url: path = '', headers } = incoming;
      const request: ProxiedRequest = { method, path, headers: { ...headers }, body };
      let answer = proxy.breakage.request?.(request);
      if (answer === undefined) {
        answer = await forwarded(target, request);
        proxy.breakage.answer?.(answer, request);
      }
      delete answer.headers['content-length'];
      delete answer.headers['transfer-encoding'];
      outgoing.writeHead(answer.status, answer.headers as http.OutgoingHttpHeaders);
      outgoing.end(answer.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  });
}

async function textOf(message: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

function forwarded(target: string, { method, path, headers, body }: ProxiedRequest) {
  const { hostname, port } = new URL(target);
  const sent = {
    ...headers,
    'content-length': method === 'GET' ? undefined : Buffer.byteLength(body),
  };
  return new Promise<ProxiedAnswer>((resolve, reject) => {
    const options = { hostname, port, path, method, headers: defined(sent), agent: false };
    const asked = http.request(options, (response) => {
      const { statusCode: status = 0, headers: given } = response;
      void textOf(response).then((text) => {
        resolve({ status, headers: { ...given }, text });
      }, reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const defined = (headers: object): http.OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
