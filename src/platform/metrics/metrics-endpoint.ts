import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';

import type { RequestHandler } from 'express';

import { DomainError, MethodNotAllowedError } from '../common/common.errors.js';
import type { MetricsSettings } from '../config/monitoring-settings.js';
import { isLoopback } from '../config/registration-mode.js';
import { isKnownHost } from '../http/own-address.js';
import { type Metrics } from './metrics.js';

export const METRICS_PATH = '/metrics';

/** Returns the metrics of all processes. */
type Expose = Metrics['expose'];

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const ALLOW = [...READING].join(', ');
const BEARER = /^bearer +(\S+)$/i;

class MetricsTokenError extends DomainError {
  override readonly code = 'invalid_access_token';

  constructor() {
    super('The metrics need the header Authorization: Bearer with the value of METRICS_TOKEN.');
  }
}

/**
 * Returns the handler of `/metrics` on the port of the service, which requires the token. A hash makes both sides of
 * the comparison equally long.
 */
export function metricsHandler(token: string, expose: Expose): RequestHandler {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  const wanted = digest(token);
  return (request, response, next) => {
    if (!READING.has(request.method)) {
      response.set('Allow', ALLOW);
      next(new MethodNotAllowedError(request.method));
      return;
    }
    const given = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (timingSafeEqual(digest(given), wanted)) {
      send(response, expose).catch(next);
    } else {
      next(new MetricsTokenError());
    }
  };
}

/**
 * Opens a port that serves only the metrics, without a token. Returns a function that closes the port.
 *
 * @throws Error if the port is in use
 */
export async function listenForMetrics(
  { host, port }: NonNullable<MetricsSettings['listener']>,
  expose: Expose,
): Promise<() => Promise<void>> {
  const server = createServer(metricsListener(host, expose));
  server.listen(port, host);
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}

/**
 * Returns the handler of a port on `host` that serves only the metrics, without a token. On a loopback address, the
 * scripts of a website that points its domain to this machine get 421 (docs/decisions/0146).
 */
export const metricsListener =
  (host: string, expose: Expose): RequestListener =>
  (request, response) => {
    const reach = { host, publicUrl: undefined, trustProxy: false } as const;
    const named = request.headers.host;
    if (isLoopback(host) && named !== undefined && !isKnownHost(named, reach)) {
      response.writeHead(421).end('Use an IP address or localhost, or set METRICS_HOST.\n');
    } else {
      answer(request, response, expose).catch(() => response.destroy());
    }
  };

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  expose: Expose,
): Promise<void> {
  if (url?.split('?', 1)[0] !== METRICS_PATH) {
    response.writeHead(404).end();
  } else if (READING.has(method ?? '')) {
    await send(response, expose);
  } else {
    response.writeHead(405, { Allow: ALLOW }).end();
  }
}

async function send(response: ServerResponse, expose: Expose): Promise<void> {
  const { contentType, text } = await expose();
  response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text);
}
