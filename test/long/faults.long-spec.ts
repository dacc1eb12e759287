import { setTimeout as pause } from 'node:timers/promises';

import { aDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { brokenPromises } from '../support/list-invariants.js';
import { browse, refresh } from '../support/many-instances/account-clients.js';
import { FAULTS } from '../support/many-instances/faults.js';
import { FaultyServer } from '../support/many-instances/faulty-server.js';
import {
  importFile,
  InterruptedImports,
  lookAtPictures,
} from '../support/many-instances/file-clients.js';
import { Fleet } from '../support/many-instances/fleet.js';
import { Knocker } from '../support/many-instances/knocker.js';
import {
  asked,
  faultsOfList,
  Follower,
  Renamer,
  Writer,
} from '../support/many-instances/list-clients.js';
import { LEFT_OUT, MACHINE_FAULTS } from '../support/many-instances/machine-faults.js';
import { PersistentClient } from '../support/many-instances/persistent-client.js';
import { Person, type Scene } from '../support/many-instances/person.js';
import { PROCESS_FAULTS } from '../support/many-instances/process-faults.js';
import { protocolClients } from '../support/many-instances/protocol-clients.js';
import { PageServer } from '../support/page-server.js';
import { PictureSite } from '../support/picture-site.js';
import { until } from '../support/processes.js';
import { METRICS_TOKEN, scrape } from '../support/scrape.js';
import { dice } from '../support/syncing-reader.js';
import type { QueriedDatabase } from '../support/test-database.js';

const WANTED = new RegExp(process.env.FAULTS_KINDS ?? '');
const KINDS = Object.fromEntries(
  Object.entries({ ...FAULTS, ...PROCESS_FAULTS, ...MACHINE_FAULTS }).filter(([name]) =>
    WANTED.test(name),
  ),
);
/** `npm run suite -- faults` sets 100. */
const COUNT = Number(process.env.FAULTS ?? Object.keys(KINDS).length);
/**
 * The seed determines the faults, and where connections are cut. `npm run suite -- faults` uses another one in each run.
 */
const SEED = Number(process.env.FAULTS_SEED ?? 21);
const FAULTS_OF_A_ROUND = Object.keys(KINDS).length;
const ROUND_MS = 900_000;
const NOTHING = /^$/;
const ROWS = 600;
const TAGGED = 1500;

let server: FaultyServer;
let database: QueriedDatabase;
let network: DatabaseProxy;
let pages: PageServer;
let site: PictureSite;
let fleet: Fleet;
let consumerKey: string;
const roll = dice(SEED);
const rollWorkers = dice(SEED + 1);

beforeAll(async () => {
  process.stdout.write(`faults: FAULTS_SEED=${SEED} repeats this run\n`);
  LEFT_OUT.forEach((kinds) => process.stdout.write(`faults: left out: ${kinds}\n`));
  server = await FaultyServer.start();
  ({ database } = server);
  network = await aDatabaseProxy(server.url, {
    delayMs: () => 20 + roll(80),
    bytesUntilCut: () => roll(20_000),
  });
  pages = await PageServer.start({ delayMs: 50 });
  site = await PictureSite.served();
  fleet = await Fleet.start({
    databaseUrl: network.url,
    count: 1,
    within: server.within,
    // One process, or two web workers and a background worker.
    webWorkers: () => 1 + rollWorkers(2),
    variables: {
      ...server.serviceClock.variables,
      ...{ DATA_DIR: server.pictures, METRICS_TOKEN },
      RESOLVER_CONCURRENCY: '4',
      RESOLVE_WAIT_MS: '500',
      RESOLVER_ALLOW_ADDRESSES: `${PageServer.addresses},127.0.0.1`,
      RESOLVER_ALLOW_PORTS: `${pages.port},${site.port}`,
      ...{ CALL_LIMIT_PER_USER: '0', CALL_LIMIT_PER_KEY: '0', REGISTER_LIMIT_PER_ADDRESS: '0' },
      ...{ LOGIN_LIMIT_PER_ADDRESS: '0', LOGIN_LIMIT_PER_ACCOUNT: '0' },
      ...{ REFRESH_LIMIT_PER_ADDRESS: '0', REFRESH_REUSE_LEEWAY: '600' },
    },
  });
  consumerKey = await fleet.consumerKey();
}, ROUND_MS);
afterAll(async () => {
  await fleet.close();
  await network.close();
  await pages.stop();
  await site.stop();
  await server.close();
});

/** The faults of a round in a random order. */
function faultsOf(round: number): string[] {
  const names = Object.keys(KINDS).slice(0, COUNT - round * FAULTS_OF_A_ROUND);
  return names
    .map((name) => ({ name, place: roll(1_000_000) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ name }) => name);
}

/** Causes a fault. Resolves when a save succeeds again, without a restart by anybody else. */
async function suffer(name: string, knocker: Knocker, imports: InterruptedImports): Promise<void> {
  const { person: prober } = knocker;
  await prober.logIn();
  const { accessToken, cookie } = prober;
  await KINDS[name]?.({
    fleet,
    network,
    database,
    server,
    roll,
    pictureWrites,
    knock: () => knocker.knock(),
    beginImport: () => imports.begin(),
  });
  const begun = Date.now();
  const url = `https://well.example/${begun}`;
  const answer = await prober.client.post('/v3/add', {
    ...{ ...prober.credentials, access_token: accessToken, url },
  });
  const page = await prober.client.get('/account', { cookie });
  if (answer.status !== 200 || page.status !== 200) {
    prober.finds(`after ${name}, a login from before is answered ${answer.status}, ${page.status}`);
  } else {
    knocker.acknowledged.push(url);
  }
  process.stdout.write(`faults: ${name}; well again after ${Date.now() - begun} ms\n`);
  await pause(500 + roll(1000));
}

async function pictureWrites(): Promise<{ stored: number; failed: number }> {
  const found = await scrape(fleet.url);
  const value = (result: string): number =>
    found.value('satchel_image_cache_writes_total', { result }) ?? 0;
  return { stored: value('stored'), failed: value('failed') };
}

const rounds = Array.from({ length: Math.ceil(COUNT / FAULTS_OF_A_ROUND) }, (_, round) => [round]);

describe('faults under load of all protocols', () => {
  it.each(rounds)(
    'lose nothing, mix nothing up and need no restart, in round %i',
    async (round) => {
      let isOver = false;
      const scene: Scene = {
        ...{ url: fleet.url, consumerKey, isOver: () => isOver, findings: [] },
        clocks: () => server.clocks,
      };
      const signUp = (): Promise<Person> => Person.signedUp(scene);
      const ada = await signUp();
      const [browser, refresher, importer, looker] = [
        ...[await signUp(), await signUp(), await signUp(), await signUp()],
      ] as const;
      const writers = [0, 1].map(
        (n) => new Writer(ada.as(`writer ${n}`), `${round}-${n}`, SEED + 10 * round + n, pages),
      );
      const followers = ['phone', 'tablet'].map((name) => new Follower(ada.as(name)));
      const importing = new Follower(importer.as('phone'));
      const renamer = await Renamer.withItems(await signUp(), TAGGED);
      const protocols = await protocolClients(fleet, signUp);

      const knocker = new Knocker(ada.as('prober'));
      const imports = new InterruptedImports(database, signUp);

      const pictures = new Map<string, string>();
      const importedIds = importFile(importer, String(round), ROWS);
      const clients = Promise.all([
        ...[
          browse(browser),
          refresh(refresher),
          lookAtPictures(looker, site, pictures),
          importing.follow(),
        ],
        ...[renamer.rename(), ...protocols.map((client) => client.run())],
        ...[...writers.map((one) => one.write()), ...followers.map((one) => one.follow())],
      ]);
      let ids: string[] = [];
      try {
        // A clock that is set might postpone the article, and no picture would then be stored.
        await until(() => pictures.size === 2, 'an article with pictures');
        for (const name of faultsOf(round)) {
          await suffer(name, knocker, imports);
        }
        ids = await importedIds;
      } catch (error) {
        // An earlier finding may be the cause.
        scene.findings.push(String(error));
      } finally {
        isOver = true;
      }
      await clients;
      expect(scene.findings).toEqual([]);
      expect(PersistentClient.oddities).toEqual([]);
      await until(() => renamer.haveAllFollowed(), 'the end of the last rename');

      const faults = await faultsOfList(ada, {
        own: new RegExp(`^https://(own|shared|well|knock)\\.example/|^http://[^/]+:${pages.port}/`),
        saved: [...writers.flatMap(({ acknowledged }) => acknowledged), ...knocker.acknowledged],
        favorites: writers.flatMap(({ favorites }) => favorites),
      });
      expect(faults).toEqual([]);
      expect(await Promise.all(followers.map((one) => one.differences()))).toEqual([[], []]);
      expect([...(await asked(importer)).changes.keys()].toSorted()).toEqual(ids.toSorted());
      expect(await importing.differences()).toEqual([]);
      expect(await imports.differences()).toEqual([]);
      for (const { name, person, acknowledged } of protocols) {
        const own = new RegExp(`^https://${name}\\.example/${person.email}/`);
        expect(await faultsOfList(person, { own, saved: acknowledged })).toEqual([]);
        expect(acknowledged.length).toBeGreaterThan(0);
      }
      for (const person of [browser, refresher]) {
        expect(await faultsOfList(person, { own: NOTHING })).toEqual([]);
      }
      expect(await faultsOfList(looker, { own: new RegExp(`^${site.url}/`) })).toEqual([]);
      expect(await brokenPromises(database)).toEqual({});
    },
    ROUND_MS,
  );
});
