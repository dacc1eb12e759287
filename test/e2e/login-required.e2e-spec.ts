import { aFetcher } from '../support/a-fetcher.js';
import { PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;
let pages = 0;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 60_000 },
    fetcher: aFetcher(host),
  });
  api = await ReadingListApi.of(app);
});
afterAll(async () => {
  await app.close();
  await host.stop();
});

const response = (status: number, body: string, type = 'text/html'): string =>
  [
    `HTTP/1.1 ${status} No`,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

/** Returns the value of `login_required` in the response of add. */
async function loginRequired(answer: string): Promise<string> {
  host.answer(answer);
  const url = host.url('/', `page${(pages += 1)}.example`);
  const { body } = await api.add({ url }).expect(200);
  expect(body.item).toMatchObject({ resolved_id: '0', response_code: '0' });
  const again = await api.add({ url }).expect(200);
  expect(again.body.item.login_required).toBe(body.item.login_required);
  return body.item.login_required;
}

describe('a page that the server refuses to send', () => {
  it.each([
    [401, 'no body', ''],
    [402, 'no body', ''],
    [402, 'a price', '<title>Pay</title><p>This article costs 1 €.'],
    [403, 'an offer', '<title>No</title><p>Subscribe to continue reading.'],
    [403, 'a wall', '<p>No</p><div class="paywall"><p>Sign in to see all.</p></div>'],
    [
      403,
      'JSON-LD',
      '<script type="application/ld+json">{"@type":"Article","isAccessibleForFree":"False"}</script>',
    ],
  ])('requires a login if it has status %d and %s', async (status, _what, body) => {
    expect(await loginRequired(response(status, body))).toBe('1');
  });

  it.each([
    [403, 'a check for programs', '<title>Just a moment...</title><p>Checking your browser.'],
    [403, 'no body', ''],
    [404, 'an offer', '<p>Subscribe to continue reading.'],
    [403, 'an offer that is no HTML', '{"message":"Subscribe to continue reading"}'],
  ])('does not require a login if it has status %d and %s', async (status, _what, body) => {
    const type = body.startsWith('{') ? 'application/json' : 'text/html';

    expect(await loginRequired(response(status, body, type))).toBe('0');
  });

  it.each([
    ['breaks off', 'HTTP/1.1 403 No\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n<p>'],
    ['is garbled', 'HTTP/1.1 403 No\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nxxxx'],
    ['is huge', response(403, `<title>No</title>${'<p>No. '.repeat(100_000)}`)],
  ])('is refused as any page if the body %s', async (_what, answer) => {
    expect(await loginRequired(answer)).toBe('0');
  });
});
