import { configFrom } from './config.js';

const SECRETS = {
  JWT_SECRET: 'a secret of at least 32 bytes: 1',
  SESSION_SECRET: 'a secret of at least 32 bytes: 2',
};
const TOKEN = '0123456789abcdef';

const configOf = (variables: Record<string, string>) => configFrom({ ...SECRETS, ...variables });

describe('the settings for metrics', () => {
  it.each([
    ['nothing', {}, undefined],
    [
      'a port',
      { METRICS_PORT: '9464' },
      { listener: { host: '127.0.0.1', port: 9464 }, token: undefined },
    ],
    ['a token', { METRICS_TOKEN: TOKEN }, { listener: undefined, token: TOKEN }],
  ])('are read from %s', (_, variables, metrics) => {
    expect(configOf(variables).metrics).toEqual(metrics);
  });

  it.each([
    ['a short token', { METRICS_TOKEN: '0123456789abcde' }, /METRICS_TOKEN: /],
    ['a token with a space', { METRICS_TOKEN: '0123456789 abcdef' }, /METRICS_TOKEN: /],
    ['the port of the service', { METRICS_PORT: '3000' }, /METRICS_PORT: must be another port/],
    ['no port', { METRICS_PORT: '0' }, /METRICS_PORT: /],
  ])('reject %s', (_, variables, problem) => {
    expect(() => configOf(variables)).toThrow(problem);
  });
});

describe('the settings for the log', () => {
  it('are JSON with a line for each request by default', () => {
    expect(configOf({})).toMatchObject({ logFormat: 'json', logsRequests: true });
  });

  it('can be text without requests', () => {
    expect(configOf({ LOG_FORMAT: 'text', LOG_REQUESTS: 'off' })).toMatchObject({
      logFormat: 'text',
      logsRequests: false,
    });
  });
});
