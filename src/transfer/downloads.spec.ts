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

/** Starts a server that sends row errors. Returns its address, and the end of the first response. */
async function serving(
  errors: AsyncIterable<ImportRowError>,
  job = JOB,
): Promise<{ readonly url: string; readonly sending: Promise<void> }> {
  const app = express();
  const sending = new Promise<void>((resolve, reject) => {
    app.use((_, response) => void sendRowErrors(response, job, errors).then(resolve, reject));
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, sending };
}

/** Sends the row errors to a client that acts after the first chunk of the answer. */
async function sentTo(
  client: (answer: IncomingMessage) => void,
  errors: AsyncIterable<ImportRowError>,
): Promise<void> {
  const { url, sending } = await serving(errors);
  get(url, (answer) => {
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

  it('end with the number of rows that are not stored', async () => {
    const one = (async function* () {
      yield* [{ ...ROW_ERROR, rowNumber: 1, reason: 'why' }];
      await Promise.resolve();
    })();
    const { url, sending } = await serving(one, { ...JOB, refused: 1235 });

    const text = await (await fetch(url)).text();

    await sending;
    expect(text).toMatch(/refused,why,\n,,,,"and 1,234 more rows",\n$/);
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
