import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';

import type { ImportJob, ImportRemark } from '../import-job.js';
import { sendRemarks } from './send-remarks.js';

const JOB: ImportJob = {
  ...{ id: '7', userId: '1', fileName: 'x', restoresDeleted: false, state: 'done', format: 'urls' },
  ...{ rowCount: 1, rowsDone: 1, added: 0, changed: 0, unchanged: 0, deleted: 0, incomplete: 0 },
  ...{ refused: 1, failure: undefined, createdAt: new Date(0), finishedAt: new Date(0) },
};
const REMARK = { path: '', line: 1, isRefused: true, reason: 'x'.repeat(1000), excerpt: '' };

let server: Server;
afterEach(() => server.close());

/** What comes of sending the remarks to a client that has seen how they begin. */
async function sentTo(
  client: (answer: IncomingMessage) => void,
  remarks: AsyncIterable<ImportRemark>,
): Promise<void> {
  const app = express();
  const sending = new Promise<void>((resolve, reject) => {
    app.use((_, response) => void sendRemarks(response, JOB, remarks).then(resolve, reject));
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

async function* endless(): AsyncGenerator<ImportRemark> {
  for (let rowNumber = 1; ; rowNumber += 1) {
    await Promise.resolve();
    yield { rowNumber, ...REMARK };
  }
}

describe('remarks that are sent', () => {
  it('are made no more for a client that goes away, which is no fault', async () => {
    const sending = sentTo((answer) => answer.destroy(), endless());

    await expect(sending).resolves.toBeUndefined();
  });

  it('fail where they cannot be read', async () => {
    const broken = (async function* () {
      yield* [{ rowNumber: 1, ...REMARK }];
      await Promise.resolve();
      throw new Error('the database is gone');
    })();

    await expect(sentTo((answer) => answer.resume(), broken)).rejects.toThrow('the database');
  });
});
