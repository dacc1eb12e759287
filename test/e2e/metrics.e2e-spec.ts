import { readFileSync } from 'node:fs';

import request from 'supertest';

import { Metrics } from '../../src/platform/metrics/metrics.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { METRICS_TOKEN, scrape, WITH_METRICS } from '../support/scrape.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const metrics = (app: TestApp, authorization?: string) => {
  const sent = request(app.url).get('/metrics');
  return authorization === undefined ? sent : sent.set('Authorization', authorization);
};

/** Returns the names of metrics in a text. Histograms have further names for their parts. */
const namesIn = (text: string): string[] =>
  (text.match(/satchel_[a-z_]+/g) ?? []).map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));

describe('a service without METRICS_PORT and METRICS_TOKEN', () => {
  it('has no metrics', async () => {
    const app = await aTestApp();

    const { status } = await metrics(app, `Bearer ${METRICS_TOKEN}`);

    await app.close();
    expect(status).toBe(404);
  });
});

describe('GET /metrics', () => {
  let app: TestApp;
  let api: ReadingListApi;

  beforeAll(async () => {
    app = await aTestApp({ config: WITH_METRICS });
    api = await ReadingListApi.of(app);
  });
  afterAll(() => app.close());

  it.each([
    ['no token', undefined],
    ['another token', 'Bearer another-token-for-the-metrics'],
    ['a shorter token', `Bearer ${METRICS_TOKEN.slice(0, -1)}`],
    ['another scheme', `Basic ${METRICS_TOKEN}`],
  ])('returns 401 with %s', async (_, authorization) => {
    const { status, body, headers } = await metrics(app, authorization);

    expect(`${status} ${body.code}`).toBe('401 invalid_access_token');
    expect(headers['www-authenticate']).toMatch(/^Bearer /);
  });

  it('are only read', async () => {
    const answer = await request(app.url)
      .post('/metrics')
      .set('Authorization', `Bearer ${METRICS_TOKEN}`);

    expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers['allow']).toBe('GET, HEAD');
  });

  // Only the process that starts several workers has these.
  const ofWorkers = ['satchel_process_up', 'satchel_process_restarts_total'];

  it.each([
    'deploy/grafana/satchel.json',
    'deploy/prometheus/alerts.yml',
    'docs/host/monitoring.md',
  ])('has all metrics that are named in %s', async (file) => {
    const { text } = await metrics(app, `Bearer ${METRICS_TOKEN}`).expect(200);
    const kept = new Set([...ofWorkers, ...namesIn(text)]);
    const used = namesIn(readFileSync(file, 'utf8'));

    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((name) => !kept.has(name))).toEqual([]);
  });

  it('returns the text format of Prometheus with the token', async () => {
    const { status, headers, text } = await metrics(app, `Bearer ${METRICS_TOKEN}`);

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toMatch(/^satchel_database_up 1$/m);
    expect(text).toMatch(/^satchel_database_writable 1$/m);
    expect(text).toMatch(/^process_resident_memory_bytes\{process="main"\} \d+$/m);
  });

  it('counts requests by route, without ids, addresses and query strings', async () => {
    const itemId = await api.saved('https://example.com/hidden-address');
    await request(app.url).get(`/read/${itemId}?hidden=1`).set('Cookie', api.user.cookie);
    await request(app.url).get('/an-unknown-address');
    await request(app.url).get('/another-unknown-address');

    const found = await scrape(app.url);

    const read = { method: 'GET', route: '/read/:id' };
    expect(found.value('satchel_http_requests_total', { ...read, status: '200' })).toBe(1);
    expect(found.value('satchel_http_request_duration_seconds_count', read)).toBe(1);
    const unknown = { method: 'GET', route: 'none', status: '404' };
    expect(found.value('satchel_http_requests_total', unknown)).toBe(2);
    expect(found.value('satchel_errors_total', { code: 'not_found' })).toBe(2);
    expect(found.text).not.toMatch(new RegExp(`hidden|unknown-address|${itemId}`));
  });

  it('counts synchronizations and lookups in the cache of responses', async () => {
    await api.saved('https://example.com/first');
    const before = await scrape(app.url);
    const { since } = await api.found();
    await api.found();
    await api.found({ since });

    const after = await scrape(app.url);

    const increase = (name: string, labels: Record<string, string>): number =>
      (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
    const cache = 'responses';
    expect(increase('satchel_syncs_total', { result: 'whole-list' })).toBe(2);
    expect(increase('satchel_syncs_total', { result: 'unchanged' })).toBe(1);
    expect(increase('satchel_cache_lookups_total', { cache, result: 'hit' })).toBe(1);
    expect(after.value('satchel_cache_bytes', { cache })).toBeGreaterThan(0);
  });

  it('answers scrapes at the same time with one result', async () => {
    const figures = app.app.get(Metrics);

    const [one, another] = await Promise.all([figures.expose(), figures.expose()]);

    expect(another).toBe(one);
  });

  it('shows the background work and the connections of the pool', async () => {
    const found = await scrape(app.url);

    expect(found.value('satchel_background_work_up', { work: 'ImportWorkers' })).toBe(1);
    expect(found.value('satchel_database_connections_max', { process: 'main' })).toBe(10);
    expect(found.value('satchel_database_waiting', { process: 'main' })).toBe(0);
  });
});
