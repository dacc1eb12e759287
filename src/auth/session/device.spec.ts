import { addressOf, deviceOf } from './device.js';

const device = (agent: string | undefined): string =>
  deviceOf({ get: () => agent } as unknown as Parameters<typeof deviceOf>[0]);

describe('deviceOf', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Microsoft Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['My App/2 (phone; en)', 'My'],
    ['(nothing)', 'an unknown program'],
    ['Mozilla/5.0', 'an unknown program'],
    ['', 'an unknown program'],
    [undefined, 'an unknown program'],
    [' \u0000\u202e\ud800 ', 'an unknown program'],
  ])('reads %j as %j', (agent, expected) => {
    expect(device(agent)).toBe(expected);
  });

  it.each([
    'x'.repeat(100_000),
    `Mozilla/${'('.repeat(50_000)}`,
    `Mozilla/5.0 ${'a/1 '.repeat(9e4)}`,
  ])('is short whatever is sent', (agent) => {
    expect(device(agent).length).toBeLessThanOrEqual(60);
  });
});

describe('addressOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['<script>\u0000'.repeat(20), '<script>'.repeat(20).slice(0, 45)],
    [undefined, ''],
  ])('reads %j as %j', (ip, expected) => {
    expect(addressOf({ ip })).toBe(expected);
  });
});
