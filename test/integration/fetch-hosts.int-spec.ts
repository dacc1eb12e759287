import { setTimeout as pause } from 'node:timers/promises';

import { PageHosts } from '../../src/articles/resolver/page-hosts.js';
import type { FetchOutcome } from '../../src/platform/fetching/fetch-outcome.js';
import { aFetcher } from '../support/a-fetcher.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { until } from '../support/processes.js';
import { ok, PublicHost, redirect } from '../support/public-host.js';
import { resolverParts } from '../support/resolver-parts.js';

const PAGE = ok('<!doctype html><title>Page</title>');
const LINKS = 50;

let lists: ListsOnPostgres;
let host: PublicHost;
let hosts: PageHosts;
/** Open requests per host: now, and the highest number so far. */
let open: Map<string, number>;
let most: Map<string, number>;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
  host = await PublicHost.start();
});
beforeEach(() => {
  hosts = new PageHosts(resolverParts(lists.database).pauses);
  open = new Map();
  most = new Map();
});
afterAll(async () => {
  await host.stop();
  await lists.stop();
});

const hostIn = (head: string): string => /^host: ([^:\r]+)/im.exec(head)?.[1] ?? '';

/** Redirects all other hosts to this one, which answers with a delay. */
function leadTo(name: string, delayMs: number, page: Buffer = PAGE): void {
  host.speak((socket, head) => {
    const asked = hostIn(head);
    if (asked !== name) {
      socket.end(redirect(host.url('/', name)));
      return;
    }
    open.set(asked, (open.get(asked) ?? 0) + 1);
    most.set(asked, Math.max(most.get(asked) ?? 0, open.get(asked) ?? 0));
    socket.once('close', () => open.set(asked, (open.get(asked) ?? 0) - 1));
    void pause(delayMs, undefined, { ref: false }).then(() => socket.end(page));
  });
}

const shortLinks = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => host.url(`/${n}`, `short${n}.example`));

describe('redirects to one host', () => {
  it('fetch at most two pages from it at a time', async () => {
    leadTo('long.example', 20);
    const fetcher = aFetcher(host, { hosts });

    const outcomes = await Promise.all(shortLinks(LINKS).map((url) => fetcher.fetch(url)));

    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['page']));
    expect(most.get('long.example')).toBe(2);
  });

  it('share this limit with direct requests to the host', async () => {
    leadTo('www.long.example', 20);
    const fetcher = aFetcher(host, { hosts });
    const direct = Array.from({ length: 9 }, (_, n) => host.url(`/${n}`, 'www.long.example'));

    await Promise.all([...shortLinks(9), ...direct].map((url) => fetcher.fetch(url)));

    expect(most.get('www.long.example')).toBe(2);
  });

  it('time out at their own deadline while the host hangs', async () => {
    leadTo('hung.example', 60_000);
    const patient = aFetcher(host, { hosts });
    const hasty = aFetcher(host, { hosts, deadlineMs: 200 });
    const caller = new AbortController();
    const first = shortLinks(2).map((url) => patient.fetch(url, { signal: caller.signal }));
    await until(() => most.get('hung.example') === 2);

    const outcomes = await Promise.all(shortLinks(8).map((url) => hasty.fetch(url)));
    caller.abort();

    const reasonOf = (outcome: FetchOutcome): unknown =>
      outcome.kind === 'failed' && outcome.reason;
    expect(outcomes.map(reasonOf)).toEqual(outcomes.map(() => 'timeout'));
    // The requests that held the host until then must not have fetched it.
    expect((await Promise.all(first)).map(reasonOf)).toEqual(['cancelled', 'cancelled']);
    leadTo('hung.example', 0);
    expect((await patient.fetch(host.url('/', 'hung.example'))).kind).toBe('page');
  });
});

describe('hosts that redirect to each other', () => {
  it('do not cause a deadlock', async () => {
    host.speak((socket, head) => {
      const [asked, path] = [hostIn(head), Number(/^GET \/(\d)/.exec(head)?.[1])];
      const other = asked === 'one.example' ? 'two.example' : 'one.example';
      socket.end(path < 4 ? redirect(host.url(`/${path + 1}`, other)) : PAGE);
    });
    const fetcher = aFetcher(host, { hosts });
    const urls = Array.from({ length: 20 }, (_, n) =>
      host.url('/0', n % 2 === 0 ? 'one.example' : 'two.example'),
    );

    const outcomes = await Promise.all(urls.map((url) => fetcher.fetch(url)));

    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['page']));
  });
});

describe('a paused host', () => {
  const rests = (name: string, seconds: number): Promise<unknown> =>
    lists.tables.query(`INSERT INTO host_pauses VALUES ($1, now() + make_interval(secs => $2))`, [
      name,
      seconds,
    ]);

  it('is not fetched after a redirect, and the rest of its pause is returned', async () => {
    leadTo('resting.example', 0);
    await rests('resting.example', 600);

    const outcome = await aFetcher(host, { hosts }).fetch(shortLinks(1)[0]!);

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'rest', isTemporary: true });
    expect(outcome.kind === 'failed' && outcome.retryAfterSeconds).toBeGreaterThan(590);
    expect(outcome.kind === 'failed' && outcome.retryAfterSeconds).toBeLessThanOrEqual(600);
    expect(outcome.kind === 'failed' && outcome.route.finalUrl).toBe(
      host.url('/', 'resting.example'),
    );
    expect(most.size).toBe(0);
  });

  it('is not fetched after a meta refresh, which becomes a temporary failure', async () => {
    await rests('refreshed.example', 600);
    const refresh = `<meta http-equiv=refresh content="0;url=${host.url('/', 'refreshed.example')}">`;
    host.speak((socket) => socket.end(ok(refresh)));

    const outcome = await aFetcher(host, { hosts }).fetch(shortLinks(1)[0]!);

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'rest', isTemporary: true });
  });

  it('is fetched after its pause has ended', async () => {
    leadTo('rested.example', 0);
    await rests('rested.example', -1);

    const outcome = await aFetcher(host, { hosts }).fetch(shortLinks(1)[0]!);

    expect(outcome.kind).toBe('page');
  });
});
