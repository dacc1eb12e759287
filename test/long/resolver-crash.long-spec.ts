import { setTimeout as pause } from 'node:timers/promises';

import { PageServer } from '../support/page-server.js';
import { timePasses } from '../support/page-times.js';
import { until } from '../support/processes.js';
import { aFreePort, Installation, type ServiceProcess } from '../support/service-process.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const PAGES = 60;
const MOST_RETRIES = 20;

let database: TestDatabase;
let installation: Installation;
let pages: PageServer;
let consumerKey: string;
let people = 0;
let services: ServiceProcess[];

/** Starts an instance. Its URL, which is in its User-Agent, distinguishes it from others. */
async function started(): Promise<ServiceProcess> {
  const port = await aFreePort();
  const service = await installation.started({
    DATABASE_URL: database.url,
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    RESOLVER_CONCURRENCY: '4',
    RESOLVE_WAIT_MS: '0',
    RESOLVER_ALLOW_ADDRESSES: PageServer.addresses,
    RESOLVER_ALLOW_PORTS: String(pages.port),
  });
  services.push(service);
  return service;
}

/** Sends a request, again after 503, as clients do: a transaction that waits long for another's pages is refused. */
async function post(service: ServiceProcess, path: string, members: object): Promise<object> {
  const send = (): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(members),
    });
  let response = await send();
  for (let retries = 0; response.status === 503 && retries < MOST_RETRIES; retries++) {
    await pause(1_000);
    response = await send();
  }
  if (!response.ok) {
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
  return (await response.json()) as object;
}

/** Creates a user. Returns the credentials. */
async function credentials(service: ServiceProcess): Promise<object> {
  people += 1;
  const person = { email: `ada${people}@example.com`, password: 'a long pass phrase' };
  await post(service, '/register', { ...person, name: 'Ada' });
  const { access_token } = (await post(service, '/login', person)) as { access_token: string };
  return { consumer_key: consumerKey, access_token };
}

/** Saves all these pages as a new user. */
async function save(service: ServiceProcess, urls: readonly string[]): Promise<void> {
  const actions = urls.map((url) => ({ action: 'add', url }));
  await post(service, '/v3/send', { ...(await credentials(service)), actions });
}

/** Returns the number of items without a page. */
const unfetched = async (): Promise<number> =>
  (await database.query('SELECT FROM items WHERE resolved_id = 0')).length;
const untilAllAreRead = (): Promise<void> =>
  until(async () => (await unfetched()) === 0, 'reading every page');

/** Returns how often each page was answered. */
const answers = (urls: readonly string[]): number[] =>
  urls.map((url) => pages.answered.filter((answered) => answered === url).length);

async function end(service: ServiceProcess): Promise<void> {
  service.kill('SIGTERM');
  await service.ended;
}

beforeAll(async () => {
  database = await aDatabase();
  installation = new Installation();
  const words = 'consumer-key create --name Reader --permissions retrieve,add,modify';
  const variables = { DATABASE_URL: database.url };
  consumerKey = (await installation.run(words.split(' '), { variables })).stdout.trim();
});
beforeEach(async () => {
  pages = await PageServer.start({ delayMs: 100 });
  services = [];
});
afterEach(async () => {
  // An instance that a failed test leaves behind would read the pages of the next test.
  services.forEach((service) => {
    service.kill('SIGKILL');
  });
  await Promise.all(services.map(({ ended }) => ended));
  await pages.stop();
  // After any crash, no page may be fetched twice at once, and no host may have more than two open requests.
  expect(pages.most.page).toBeLessThanOrEqual(1);
  expect(pages.most.host).toBeLessThanOrEqual(2);
});
afterAll(async () => {
  await installation.close();
  await database.drop();
});

describe('two instances with one queue', () => {
  it('fetch every page once, even if several users have saved it', async () => {
    const [one, other] = [await started(), await started()];
    const urls = pages.urls(PAGES, 'shared');

    await Promise.all([one, other, one].map((service) => save(service, urls)));
    await untilAllAreRead();

    expect(answers(urls)).toEqual(urls.map(() => 1));
    await Promise.all([one, other].map(end));
    expect([one, other].every(({ stderr }) => /"msg":"pages"/.test(stderr))).toBe(true);
  });

  it('fetch the pages that a killed instance had claimed', async () => {
    const [one, other] = [await started(), await started()];
    const urls = pages.urls(PAGES, 'inherited');
    pages.hold(one.url);

    await save(one, urls);
    await until(() => pages.answered.length > 20 && pages.waitedFor.length > 0);
    one.kill('SIGKILL');
    await one.ended;
    await until(() => pages.waitedFor.length === 0 || pages.answered.length === PAGES);
    await leasesEnd(urls);
    await untilAllAreRead();

    expect(answers(urls)).toEqual(urls.map(() => 1));
    await end(other);
  });
});

describe('pages of many hosts that redirect to one host', () => {
  it('are all fetched, at most two at a time', async () => {
    const urls = pages.urls(PAGES / 2, 'moved');
    const service = await started();

    await save(service, urls);
    await untilAllAreRead();

    expect(answers(urls)).toEqual(urls.map(() => 1));
    await end(service);
  });
});

describe('a service that is killed while pages are queued', () => {
  it('continues after a restart and loses no page', async () => {
    const urls = pages.urls(PAGES, 'survived');
    const service = await started();
    await save(service, urls);
    await until(() => pages.answered.length > 10);

    service.kill('SIGKILL');
    await service.ended;
    expect(await unfetched()).toBeGreaterThan(0);
    await until(() => pages.waitedFor.length === 0);
    await timePasses(database, '61 seconds');
    const again = await started();
    await untilAllAreRead();

    const counts = answers(urls);
    expect(Math.min(...counts)).toBe(1);
    // Pages that were answered but not stored before the crash: no more than the concurrency.
    expect(counts.filter((count) => count > 1).length).toBeLessThanOrEqual(4);
    await end(again);
  });
});

/** Prevents any process from writing a sent page to its item, even after parsing. */
const HOLD_SENT = `
  CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'held'; END $$;
  CREATE TRIGGER hold BEFORE DELETE ON sent_pages FOR EACH ROW EXECUTE FUNCTION hold()`;
const LET_GO = 'DROP FUNCTION hold CASCADE';

describe('a page that a client has sent', () => {
  it('is parsed after the service was killed and restarted', async () => {
    const service = await started();
    const person = await credentials(service);
    const html = '<title>Sent</title><p>Some words of it.</p>';
    await database.query(HOLD_SENT);

    await post(service, '/v3/add', { ...person, url: 'http://127.0.0.11/behind-a-login', html });
    service.kill('SIGKILL');
    await service.ended;
    expect(await unfetched()).toBe(1);
    await database.query(`${LET_GO}; UPDATE sent_pages SET leased_until = now()`);
    const again = await started();
    await untilAllAreRead();

    const titles = await database.query('SELECT resolved_title FROM items');
    expect(titles).toContainEqual({ resolved_title: 'Sent' });
    expect(await database.query('SELECT FROM sent_pages')).toEqual([]);
    await end(again);
  });
});

/** Ends the leases of pages without an open request, as if their holder had ended. */
async function leasesEnd(urls: readonly string[]): Promise<void> {
  const given = urls.filter((url) => !pages.waitedFor.includes(url));
  await database.query('UPDATE pages SET leased_until = now() WHERE url = ANY ($1)', [given]);
}
