import { type Config, configFrom } from './config.js';
import { ConfigError } from './environment.js';

const SECRETS = {
  JWT_SECRET: 'a secret of at least 32 bytes: 1',
  SESSION_SECRET: 'a secret of at least 32 bytes: 2',
};

const read = (variables: Record<string, string>): Config['fetchProxies'] =>
  configFrom({ ...SECRETS, ...variables }).fetchProxies;

/** Returns the configured proxies and the exceptions as text. */
function shown(variables: Record<string, string>): (string | undefined)[] {
  const { http, https, exceptions = [] } = read(variables) ?? {};
  return [http?.href, https?.href, ...exceptions];
}

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    read(variables);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [];
  }
}

describe('FETCH_PROXY', () => {
  it('unset uses no proxy, also if other programs have one', () => {
    const others = { HTTP_PROXY: 'http://proxy.example:3128', https_proxy: 'http://proxy.example' };

    expect(read(others)).toBeUndefined();
  });

  it.each([
    ['http://proxy.example:3128', 'http://proxy.example:3128/'],
    ['https://proxy.example', 'https://proxy.example/'],
    ['http://user:p%40ss@10.0.0.1:3128/', 'http://user:p%40ss@10.0.0.1:3128/'],
    ['socks5://user:pass@proxy.example:1080', 'socks5://user:pass@proxy.example:1080'],
    ['socks5h://[::1]:9050', 'socks5h://[::1]:9050'],
  ])('%s is the proxy for http and https', (text, href) => {
    expect(shown({ FETCH_PROXY: text, NO_PROXY: 'page.example' })).toEqual([href, href]);
  });

  it.each([
    ...['proxy.example:3128', 'ftp://proxy.example', 'socks4://proxy.example', 'http://', 'on'],
    ...['http://proxy.example/path', 'http://proxy.example?x=1', 'socks5://', 'http://u:%ff@x'],
    `http://user:${'x'.repeat(256)}@proxy.example`,
  ])('is not %s', (text) => {
    expect(problemsOf({ FETCH_PROXY: text })).toEqual([
      expect.stringMatching(/^FETCH_PROXY: is the address of a proxy/),
    ]);
  });
});

describe('FETCH_PROXY=env', () => {
  it('takes the variables of other programs', () => {
    const variables = {
      FETCH_PROXY: 'env',
      HTTP_PROXY: 'http://one.example:3128',
      HTTPS_PROXY: 'socks5://two.example:1080',
      NO_PROXY: 'page.example, .example.org 10.0.0.0/8',
    };

    expect(shown(variables)).toEqual([
      ...['http://one.example:3128/', 'socks5://two.example:1080'],
      ...['page.example', '.example.org', '10.0.0.0/8'],
    ]);
  });

  it('prefers the names in lower case', () => {
    const variables = {
      FETCH_PROXY: 'env',
      HTTP_PROXY: 'http://one.example',
      NO_PROXY: 'a.example',
      http_proxy: 'http://two.example',
      no_proxy: 'b.example',
      https_proxy: '',
      HTTPS_PROXY: 'http://three.example',
    };

    expect(shown(variables)).toEqual([
      ...['http://two.example/', 'http://three.example/', 'b.example'],
    ]);
  });

  it('reads an address without a scheme as one of http', () => {
    expect(shown({ FETCH_PROXY: 'env', HTTP_PROXY: 'proxy.example:3128' })).toEqual([
      'http://proxy.example:3128/',
      undefined,
    ]);
  });

  it('without these variables uses no proxy', () => {
    expect(shown({ FETCH_PROXY: 'env' })).toEqual([undefined, undefined]);
  });

  it('names the variable that is invalid, and not its value', () => {
    const problems = problemsOf({ FETCH_PROXY: 'env', HTTPS_PROXY: 'ftp://hunter2@proxy.example' });

    expect(problems).toEqual([expect.stringMatching(/^HTTPS_PROXY: is the address of a proxy/)]);
    expect(problems.join()).not.toContain('hunter2');
  });
});
