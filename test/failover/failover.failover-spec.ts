import { setTimeout as pause } from 'node:timers/promises';

import { browse, guess, noCounts, refresh } from '../support/many-instances/account-clients.js';
import { importFile } from '../support/many-instances/file-clients.js';
import { Fleet } from '../support/many-instances/fleet.js';
import { asked, Follower, turnPages, Writer } from '../support/many-instances/list-clients.js';
import { Probe } from '../support/many-instances/outages.js';
import { PatroniCluster } from '../support/many-instances/patroni-cluster.js';
import { missingPrograms } from '../support/many-instances/patroni-packages.js';
import { PersistentClient } from '../support/many-instances/persistent-client.js';
import { Person, type Scene } from '../support/many-instances/person.js';
import { until } from '../support/processes.js';

const FAILOVERS = Number(process.env.FAILOVERS ?? 3);
/** The longest time that an instance may be unable to write during a failover. */
const LIMIT_SECONDS = Number(process.env.FAILOVER_LIMIT_SECONDS ?? 30);
const INSTANCES = 2;
/** After this number of failovers, the standby is copied from the primary again. */
const REINIT_AFTER = 5;
/** Longer than the time limits of its steps, so that everything that was started is known if one fails. */
const SET_UP_MS = 900_000;
const ROWS = 200;
const GUESSES = 10;

const missing = missingPrograms();
if (missing.length > 0) {
  process.stdout.write(
    `failover: skipped, for ${missing.join(', ')} are not installed (docs/host/operating.md)\n`,
  );
}

/** The faults of the leading machine, each with its repair. */
const KINDS = [
  ['server killed', (cluster: PatroniCluster, name: string) => cluster.killServer(name)],
  ['machine killed', (cluster: PatroniCluster, name: string) => cluster.killMachine(name)],
  ['machine frozen', (cluster: PatroniCluster, name: string) => cluster.freeze(name)],
  ['switchover', (cluster: PatroniCluster, name: string) => cluster.switchOver(name)],
] as const;

interface Failover {
  readonly kind: string;
  readonly seconds: number;
}

let cluster: PatroniCluster;
let fleet: Fleet;
let consumerKey: string;
/** Everything that was started, even if the setup failed later. */
const running: { close: () => Promise<void> }[] = [];

const describeHere = missing.length > 0 ? describe.skip : describe;

describeHere('two PostgreSQL servers in synchronous mode', () => {
  beforeAll(async () => {
    cluster = await PatroniCluster.start();
    running.push(cluster);
    fleet = await Fleet.start({
      databaseUrl: cluster.url,
      count: INSTANCES,
      variables: {
        CALL_LIMIT_PER_USER: '100000',
        LOGIN_LIMIT_PER_ACCOUNT: String(GUESSES),
        LOGIN_LIMIT_PER_ADDRESS: '0',
        REGISTER_LIMIT_PER_ADDRESS: '0',
        REFRESH_LIMIT_PER_ADDRESS: '0',
        REFRESH_REUSE_LEEWAY: '600',
      },
    });
    running.push(fleet);
    consumerKey = await fleet.consumerKey();
  }, SET_UP_MS);
  afterAll(async () => {
    for (const one of running.toReversed()) {
      await one.close();
    }
  });

  it(
    'lose no acknowledged write and no change during failovers',
    async () => {
      let isOver = false;
      const scene: Scene = { url: fleet.url, consumerKey, isOver: () => isOver, findings: [] };
      const ada = await Person.signedUp(scene);
      const [browser, refresher, importer, guessed] = [
        await Person.signedUp(scene),
        await Person.signedUp(scene),
        await Person.signedUp(scene),
        await Person.signedUp(scene),
      ];
      const imported = await importFile(importer, 'before', ROWS);
      const writers = [0, 1].map((n) => new Writer(ada.as(`writer ${n}`), `writer-${n}`, n + 1));
      const followers = ['phone', 'tablet'].map((name) => new Follower(ada.as(name)));
      const probes = fleet.instances.map(
        ({ name, port }) => new Probe(ada, name.replace(' ', '-'), `http://127.0.0.1:${port}`),
      );
      const guesses = noCounts();
      const clients = Promise.all([
        ...[
          guess(guessed, guesses),
          browse(browser),
          refresh(refresher),
          turnPages(importer, imported),
        ],
        ...[...writers.map((writer) => writer.write()), ...probes.map((probe) => probe.run())],
        ...followers.map((follower) => follower.follow()),
      ]);

      const failovers: Failover[] = [];
      for (let at = 0; at < FAILOVERS; at += 1) {
        await pause(2000);
        failovers.push(await failOver(at, probes));
        if (failovers.length % REINIT_AFTER === 0) {
          await reinitialize(probes);
        }
      }
      await pause(1000);
      isOver = true;
      await clients;

      const list = new Set((await asked(ada)).changes.keys());
      const acknowledged = [...writers, ...probes].flatMap(({ ids }) => ids);
      const lost = acknowledged.filter((id) => !list.has(id));
      const missed = await Promise.all(followers.map((follower) => follower.differences()));
      tell(failovers, acknowledged.length);

      const { findings } = scene;
      const { oddities } = PersistentClient;
      // In one comparison, so that a failed run shows everything.
      expect({ findings, oddities, lost, missed }).toEqual({
        ...{ findings: [], oddities: [], lost: [], missed: [[], []] },
      });
      // Attempt counters are unlogged, so a promoted server starts without any.
      expect(guesses.passed).toBeLessThanOrEqual(GUESSES * (FAILOVERS + 1));
      expect(guesses.refused).toBeGreaterThan(0);
      expect(failovers.filter(({ seconds }) => seconds > LIMIT_SECONDS)).toEqual([]);
      expect(fleet.log).not.toContain('"code":"internal_error"');
    },
    SET_UP_MS + FAILOVERS * 180_000,
  );
});

/** Fails the leader. Waits until the other machine leads and the old leader follows. */
async function failOver(at: number, probes: readonly Probe[]): Promise<Failover> {
  await cluster.untilWell();
  const leader = (await cluster.leader())!;
  const [kind, takeAway] = KINDS[at % KINDS.length]!;
  const begin = Date.now();
  await takeAway(cluster, leader);
  await until(async () => {
    const next = await cluster.leader();
    return next !== undefined && next !== leader;
  }, 'another leader');
  const led = Date.now();
  await until(
    () => probes.every((probe) => probe.hasWrittenSince(led)),
    'a write at each instance',
  );
  if (kind === 'machine frozen') {
    await cluster.thaw(leader);
  }
  cluster.revive();
  await cluster.untilWell();
  await pause(1000);
  const outage = Math.max(...probes.map((probe) => probe.outageSince(begin)));
  process.stdout.write(
    `failover ${at + 1}: ${kind}, no write for ${(outage / 1000).toFixed(1)} s\n`,
  );
  return { kind, seconds: outage / 1000 };
}

/** Copies the standby from the primary again, while clients write. Waits until it may take over. */
async function reinitialize(probes: readonly Probe[]): Promise<void> {
  const leader = await cluster.leader();
  const begin = Date.now();
  await cluster.mend(leader === 'one' ? 'two' : 'one', 'reinit');
  await cluster.untilWell();
  const outage = Math.max(...probes.map((probe) => probe.outageSince(begin)));
  const [seconds, away] = [(Date.now() - begin) / 1000, outage / 1000];
  process.stdout.write(
    `failover: reinitialized in ${seconds.toFixed(1)} s, no write for ${away.toFixed(1)} s\n`,
  );
}

function tell(failovers: readonly Failover[], acknowledged: number): void {
  const sorted = failovers.map(({ seconds }) => seconds).toSorted((one, other) => one - other);
  const at = (share: number): string =>
    (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1);
  process.stdout.write(
    `failover: ${sorted.length} times, ${cluster.mends.reinit} reinit and ${cluster.mends.restart} restart of a standby, ${acknowledged} acknowledged writes; without a write for ${at(0.01)} s at least, ${at(0.5)} in the median, ${at(1)} at most\n`,
  );
}
