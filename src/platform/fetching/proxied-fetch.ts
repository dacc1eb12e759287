import type { CustomFetch } from 'openid-client';
import type { Agent } from 'undici';

import type { FetchProxies } from '../config/fetch-proxy.js';
import { contained } from './contained-socket.js';
import { proxiedConnector } from './proxied-connector.js';
import { proxyFor } from './proxy-rules.js';

/**
 * Returns a `fetch` function for servers that the operator has configured, which may have private
 * addresses. The function uses the proxies only for https URLs, because http URLs are allowed only
 * for servers on this machine.
 *
 * @param ca the CA certificates in PEM format; if undefined, the system's certificates are used
 */
export function proxiedFetch(proxies: FetchProxies, ca?: string): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const target = new URL(url);
    const request = {
      method,
      headers,
      redirect: 'manual' as const,
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      ...(signal !== undefined && { signal }),
    };
    if (target.protocol !== 'https:' || proxyFor(target, proxies) === undefined) {
      return fetch(url, request);
    }
    const dispatcher = await proxyAgent(proxies, ca);
    try {
      const library = await import('undici');
      const response = await library.fetch(url, { ...request, dispatcher });
      const { status, statusText } = response;
      const answer = { status, statusText, headers: Object.fromEntries(response.headers) };
      const bytes = await response.arrayBuffer();
      return new Response(bytes.byteLength === 0 ? null : bytes, answer);
    } finally {
      void dispatcher.destroy();
    }
  };
}

async function proxyAgent(proxies: FetchProxies, ca: string | undefined): Promise<Agent> {
  const library = await import('undici');
  const direct = library.buildConnector(ca === undefined ? {} : { ca });
  const requireAllowed = (): Promise<void> => Promise.resolve();
  const connect = proxiedConnector(direct, direct, { proxies, ca, requireAllowed });
  return new library.Agent({ pipelining: 0, connect: contained(connect) });
}
