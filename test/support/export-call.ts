import type { IncomingMessage } from 'node:http';

import request, { type Response } from 'supertest';

import type { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

/** Calls the export as the user of `api`. The body of the answer is always a Buffer. */
export const exportCall = (app: TestApp, api: ReadingListApi, query: object): request.Test =>
  request(app.url)
    .get('/v3/export')
    .query({ ...api.credentials, ...query })
    .buffer(true)
    .parse(bytesOf);

function bytesOf(response: Response, done: (error: Error | null, body: Buffer) => void): void {
  const parts: Buffer[] = [];
  const stream = response as unknown as IncomingMessage;
  stream.on('data', (part: Buffer) => parts.push(part));
  stream.on('end', () => {
    done(null, Buffer.concat(parts));
  });
}
