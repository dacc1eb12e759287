import { readFileSync } from 'node:fs';

import { PageVisitor } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/pages/messages.js';

let app: TestApp;
beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

describe('GET /pages/messages.js', () => {
  it('returns the messages of the browser scripts from en.json with their full keys', async () => {
    const { scripts } = JSON.parse(readFileSync('src/platform/i18n/messages/en.json', 'utf8')) as {
      scripts: Record<string, string>;
    };

    const { headers, text } = await new PageVisitor(app).open(PATH).expect(200);

    expect(headers['content-type']).toContain('text/javascript');
    const [, messages = ''] = /export const messages = (.*);/.exec(text) ?? [];
    expect(JSON.parse(messages)).toEqual(
      Object.fromEntries(Object.entries(scripts).map(([name, one]) => [`scripts.${name}`, one])),
    );
  });

  it('returns 304 if the messages have not changed', async () => {
    const visitor = new PageVisitor(app);
    const { headers } = await visitor.open(PATH).expect(200);

    const again = await visitor.open(PATH).set('If-None-Match', String(headers['etag']));

    expect(headers['cache-control']).toBe('no-cache');
    expect(again.status).toBe(304);
  });
});
