import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { HttpAdapterHost } from '@nestjs/core';
import express, { type Response } from 'express';

import type { Config } from '../config/config.js';
import { Draining } from './draining.js';

const ASKED = 'GET / HTTP/1.1\r\nHost: satchel\r\n\r\n';

it('does not wait for answers whose connection has ended before their turn', async () => {
  const app = express();
  const server = app.listen(0);
  await once(server, 'listening');
  const host = { httpAdapter: { getHttpServer: () => server } } as unknown as HttpAdapterHost;
  const draining = new Draining(host, { shutdownTimeoutSeconds: 1 } as Config);
  const due: Response[] = [];
  app.use(draining.closeKeptConnections, (_, response) => due.push(response));
  const client = connect((server.address() as AddressInfo).port);
  client.write(ASKED + ASKED);
  while (due.length < 2) {
    await pause(5);
  }
  client.destroy();

  await expect(draining.beforeApplicationShutdown()).resolves.toBeUndefined();
});
