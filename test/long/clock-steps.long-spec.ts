import { aDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { FaultyServer } from '../support/many-instances/faulty-server.js';
import { Fleet } from '../support/many-instances/fleet.js';
import { asked } from '../support/many-instances/list-clients.js';
import { Person, type Scene } from '../support/many-instances/person.js';
import { canStepClocks } from '../support/many-instances/stepped-clock.js';
import { PageServer } from '../support/page-server.js';
import { until } from '../support/processes.js';
import { SyncingReader } from '../support/syncing-reader.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

let server: FaultyServer;
let network: DatabaseProxy;
let fleet: Fleet;
let pages: PageServer;
let scene: Scene;

beforeAll(async () => {
  server = await FaultyServer.start();
  pages = await PageServer.start({ delayMs: 2000 });
  network = await aDatabaseProxy(server.url);
  fleet = await Fleet.start({
    databaseUrl: network.url,
    count: 1,
    variables: {
      ...server.serviceClock.variables,
      RESOLVER_CONCURRENCY: '2',
      RESOLVE_WAIT_MS: '0',
      RESOLVER_ALLOW_ADDRESSES: PageServer.addresses,
      RESOLVER_ALLOW_PORTS: String(pages.port),
    },
  });
  scene = {
    ...{ url: fleet.url, consumerKey: await fleet.consumerKey(), isOver: () => false },
    ...{ findings: [], clocks: () => server.clocks },
  };
});
afterAll(async () => {
  await fleet.close();
  await network.close();
  await pages.stop();
  await server.close();
});
afterEach(() => {
  setClocks(0);
});

function setClocks(seconds: number): void {
  server.clock.set(seconds);
  server.serviceClock.set(seconds);
}

const whereClocksCanBeSet = canStepClocks ? it : it.skip;

describe('a clock that was ahead for a while', () => {
  whereClocksCanBeSet(
    'hides no later change from a client that returns after the wrong time',
    async () => {
      const person = await Person.signedUp(scene);
      const device = new SyncingReader((since) => asked(person, since));
      await person.called('/v3/add', { url: 'https://example.com/before' });
      setClocks(DAY);
      await device.poll();
      setClocks(0);
      await person.called('/v3/add', { url: 'https://example.com/after' });
      setClocks(DAY + HOUR);
      await device.poll();
      expect(device.copy.size).toBe(2);
    },
  );

  whereClocksCanBeSet('does not delay a page whose fetch was interrupted', async () => {
    const person = await Person.signedUp(scene);
    const [url] = pages.urls(1, 'interrupted');
    setClocks(DAY);
    await person.called('/v3/add', { url });
    await until(() => pages.waitedFor.length > 0, 'a fetch');
    await fleet.restart(0, 'SIGKILL', 0);
    setClocks(0);
    await until(async () => {
      const { changes } = await asked(person);
      return [...changes.values()].some((item) => JSON.stringify(item).includes(`Page ${url}`));
    }, 'a fetched page');
  });
});
