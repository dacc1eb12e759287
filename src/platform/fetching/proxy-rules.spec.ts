import { forwardingProxyFor, proxyAuthorization, proxyFor } from './proxy-rules.js';

const HTTP = new URL('http://one.example:3128');
const HTTPS = new URL('socks5://two.example');

const isDirect = (url: string, ...exceptions: string[]): boolean =>
  proxyFor(new URL(url), { http: HTTP, https: HTTPS, exceptions }) === undefined;

describe('the proxy of a URL', () => {
  it('depends on the protocol', () => {
    const proxies = { http: HTTP, https: HTTPS, exceptions: [] };

    expect(proxyFor(new URL('http://page.example/'), proxies)).toBe(HTTP);
    expect(proxyFor(new URL('https://page.example/'), proxies)).toBe(HTTPS);
    expect(proxyFor(new URL('https://page.example/'), { ...proxies, https: undefined })).toBe(
      undefined,
    );
    expect(proxyFor(new URL('http://page.example/'), undefined)).toBeUndefined();
  });

  it.each([
    ['https://page.example/', 'page.example'],
    ['https://PAGE.example/', 'Page.Example'],
    ['https://a.page.example/', 'page.example'],
    ['https://a.page.example/', '.page.example'],
    ['https://page.example/', '.page.example'],
    ['https://a.page.example/', '*.page.example'],
    ['https://page.example:8443/', 'page.example:8443'],
    ['https://page.example/', 'page.example:443'],
    ['http://page.example/', 'page.example:80'],
    ['http://10.1.2.3/', '10.0.0.0/8'],
    ['http://10.1.2.3/', '10.1.2.3'],
    ['http://[fd00::1]:8080/', 'fd00::/8'],
    ['http://[fd00::1]/', 'fd00::1'],
    ['http://[fd00::1]:8080/', '[fd00::1]:8080'],
    ['http://anything.example/', '*'],
  ])('is none for %s with the exception %s', (url, exception) => {
    expect(isDirect(url, 'other.example', exception)).toBe(true);
  });

  it.each([
    ['https://page.example/', 'age.example'],
    ['https://page.example/', 'a.page.example'],
    ['https://page.example/', 'page.example:8443'],
    ['https://page.example:8443/', 'page.example:443'],
    ['http://11.1.2.3/', '10.0.0.0/8'],
    ['http://page.example/', '10.0.0.0/8'],
    ['http://page.example/', 'not/a/network'],
    ['http://page.example/', '.'],
  ])('is used for %s with the exception %s', (url, exception) => {
    expect(isDirect(url, exception)).toBe(false);
  });
});

it('only http requests to http proxies are forwarded without a tunnel', () => {
  const proxies = { http: HTTP, https: HTTP, exceptions: [] };

  expect(forwardingProxyFor(new URL('http://page.example/'), proxies)).toBe(HTTP);
  expect(forwardingProxyFor(new URL('https://page.example/'), proxies)).toBeUndefined();
  expect(
    forwardingProxyFor(new URL('http://page.example/'), { ...proxies, http: HTTPS }),
  ).toBeUndefined();
});

it('credentials are decoded and sent as Basic', () => {
  expect(proxyAuthorization(new URL('http://a%40b:c%3Ad@x'))).toBe(
    `Basic ${Buffer.from('a@b:c:d').toString('base64')}`,
  );
  expect(proxyAuthorization(HTTP)).toBeUndefined();
});
