import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';

import { sendRowErrors } from './downloads.js';
import type { ImportRowError } from './entities/import-row-error.entity.js';

const JOB = { id: '7', refused: 1, incomplete: 0, merged: 0, notImported: null };
const ROW_ERROR = {
  importId: '7',
  path: '',
  line: 1,
  isRefused: true,
  reason: 'x'.repeat(1000),
  excerpt: '',
} as ImportRowError;

let server: Server;
afterEach(() => server.close());

/** Sends the row errors to a client that acts after the first chunk of the answer. */
async function sentTo(
  client: (answer: IncomingMessage) => void,
  errors: AsyncIterable<ImportRowError>,
): Promise<void> {
  const app = express();
  const sending = new Promise<void>((resolve, reject) => {
    app.use((_, response) => void sendRowErrors(response, JOB, errors).then(resolve, reject));
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  get(`http://127.0.0.1:${port}/`, (answer) => {
    answer.on('error', () => undefined);
    answer.once('data', () => {
      client(answer);
    });
  }).on('error', () => undefined);
  return sending;
}

async function* endless(): AsyncGenerator<ImportRowError> {
  for (let rowNumber = 1; ; rowNumber += 1) {
    await Promise.resolve();
    yield { ...ROW_ERROR, rowNumber };
  }
}

describe('row errors that are sent', () => {
  it('are made no more for a client that goes away, which is no error', async () => {
    const sending = sentTo((answer) => answer.destroy(), endless());

    await expect(sending).resolves.toBeUndefined();
  });

  it('fail where they cannot be read', async () => {
    const broken = (async function* () {
      yield* [{ ...ROW_ERROR, rowNumber: 1 }];
      await Promise.resolve();
      throw new Error('the database is gone');
    })();

    await expect(sentTo((answer) => answer.resume(), broken)).rejects.toThrow('the database');
  });
});
