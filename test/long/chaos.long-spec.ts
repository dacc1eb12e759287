import { setTimeout as pause } from 'node:timers/promises';

import {
  browse,
  call,
  guess,
  noCounts,
  refresh,
} from '../support/many-instances/account-clients.js';
import { importFile, lookAtPictures } from '../support/many-instances/file-clients.js';
import { Fleet } from '../support/many-instances/fleet.js';
import { asked, Follower, Renamer, Writer } from '../support/many-instances/list-clients.js';
import { PersistentClient } from '../support/many-instances/persistent-client.js';
import { Person, type Scene } from '../support/many-instances/person.js';
import { PageServer } from '../support/page-server.js';
import { timePasses } from '../support/page-times.js';
import { PictureSite } from '../support/picture-site.js';
import { until } from '../support/processes.js';
import { dice } from '../support/syncing-reader.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

/** `npm run suite -- chaos` sets 100. Each round has new users. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 6);
const INSTANCES = Number(process.env.CHAOS_INSTANCES ?? 2);
/** The seed determines which instances are killed, by which signals, and after which pauses. */
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const KILLS_OF_A_ROUND = 10;
/** Far longer than a round. On a busy machine, each start of an instance takes many seconds. */
const ROUND_MS = 900_000;

const GUESSES = 10;
/** Nearly all of these calls are already used when the user starts. */
const CALLS = 2000;
const CALLS_LEFT = 240;
/** At each start, the random generator chooses one process, or two web workers with a background worker. */
const MOST_WEB_WORKERS = 2;
/** A killed instance loses the calls that its processes have leased: at most 1% of the limit each. */
const LEASED = CALLS / 100;
const ROWS = 600;
/** More than the number of items that one call retags in its transaction (docs/decisions/0085). */
const TAGGED = 1500;

let database: TestDatabase;
let pages: PageServer;
let site: PictureSite;
let fleet: Fleet;
let consumerKey: string;
const roll = dice(SEED);
const rollWorkers = dice(SEED + 1);

beforeAll(async () => {
  process.stdout.write(`chaos: CHAOS_SEED=${SEED} repeats this run\n`);
  database = await aDatabase();
  pages = await PageServer.start({ delayMs: 50 });
  site = await PictureSite.served();
  fleet = await Fleet.start({
    databaseUrl: database.url,
    count: INSTANCES,
    webWorkers: () => 1 + rollWorkers(MOST_WEB_WORKERS),
    variables: {
      // Four processes in each of three instances.
      DATABASE_POOL_SIZE: '5',
      RESOLVER_CONCURRENCY: '4',
      RESOLVE_WAIT_MS: '500',
      RESOLVER_ALLOW_ADDRESSES: `${PageServer.addresses},127.0.0.1`,
      RESOLVER_ALLOW_PORTS: `${pages.port},${site.port}`,
      CALL_LIMIT_PER_USER: String(CALLS),
      LOGIN_LIMIT_PER_ACCOUNT: String(GUESSES),
      LOGIN_LIMIT_PER_ADDRESS: '0',
      REGISTER_LIMIT_PER_ADDRESS: '0',
      REFRESH_LIMIT_PER_ADDRESS: '0',
      // Clients reuse old refresh tokens on purpose, perhaps while all instances are down.
      REFRESH_REUSE_LEEWAY: '600',
    },
  });
  consumerKey = await fleet.consumerKey();
}, ROUND_MS);
afterAll(async () => {
  await fleet.close();
  await pages.stop();
  await site.stop();
  await database.drop();
});

/** Reduces a user's remaining calls, so that a round uses all of them. */
async function takeCalls(email: string): Promise<void> {
  await database.query(
    `UPDATE call_counters SET taken = $2 WHERE key = 'user:' || (SELECT id FROM users WHERE email = $1)`,
    [email, CALLS - CALLS_LEFT],
  );
}

/** Kills random instances, even while others are down. Resolves when all are running again. */
async function kill(times: number): Promise<void> {
  const restarts: Promise<void>[] = [];
  const away = new Set<number>();
  for (let done = 0; done < times; done += 1) {
    await pause(800 + roll(2500));
    const at = roll(INSTANCES);
    const signal = roll(3) === 0 ? 'SIGTERM' : 'SIGKILL';
    // Waits for an instance that is starting before it is killed again.
    await until(() => !away.has(at), 'the return of an instance');
    away.add(at);
    const back = fleet.restart(at, signal, roll(1500)).finally(() => away.delete(at));
    restarts.push(back);
  }
  await Promise.all(restarts);
}

/** Waits until the saved pages are fetched and the list shows their titles. */
async function untilPagesAreRead(person: Person, writers: readonly Writer[]): Promise<void> {
  const urls = writers
    .flatMap(({ acknowledged }) => acknowledged)
    .filter((url) => url.startsWith('http://'));
  await until(async () => {
    const { changes } = await asked(person);
    const titles = new Set(
      [...changes.values()].map((item) => Reflect.get(item ?? {}, 'resolved_title')),
    );
    const unfetched = urls.filter((url) => !titles.has(`Page ${url}`));
    if (unfetched.length > 0) {
      await endLeases();
    }
    return unfetched.length === 0;
  }, 'the reading of all pages');
}

/** Ends the leases of killed workers, which would last a minute. */
async function endLeases(): Promise<void> {
  const answered = pages.answered.length;
  await pause(1000);
  if (pages.waitedFor.length === 0 && pages.answered.length === answered) {
    await timePasses(database, '61 seconds');
  }
}

const rounds = Array.from(
  { length: Math.ceil(KILLS / KILLS_OF_A_ROUND) },
  (_, round) => [round + 1, Math.min(KILLS_OF_A_ROUND, KILLS - round * KILLS_OF_A_ROUND)] as const,
);

describe(`${INSTANCES} instances that are killed and restarted at random`, () => {
  it.each(rounds)(
    'lose nothing in round %i with %i kills',
    async (round, kills) => {
      let isOver = false;
      const scene: Scene = { url: fleet.url, consumerKey, isOver: () => isOver, findings: [] };
      const ada = await Person.signedUp(scene);
      const others: Person[] = [];
      for (let count = 0; count < 7; count += 1) {
        others.push(await Person.signedUp(scene));
      }
      const [browser, refresher, guessed, caller, importer, looker, tagger] = others as [
        Person,
        Person,
        Person,
        Person,
        Person,
        Person,
        Person,
      ];
      const writers = [0, 1].map(
        (n) => new Writer(ada.as(`writer ${n}`), `${round}-${n}`, SEED + 10 * round + n, pages),
      );
      const followers = ['phone', 'tablet'].map((name) => new Follower(ada.as(name)));
      const importing = new Follower(importer.as('phone'));
      const renamer = await Renamer.withItems(tagger, TAGGED);
      const tagged = new Follower(tagger.as('phone'));
      await caller.called('/v3/get', { count: 1 });
      await takeCalls(caller.email);
      const killsBefore = fleet.ends.length;
      const begin = Date.now();

      const importedIds = importFile(importer, String(round), ROWS);
      const [guesses, calls] = [noCounts(), noCounts()];
      const clients = Promise.all([
        ...[guess(guessed, guesses), call(caller, calls)],
        ...[browse(browser), refresh(refresher), lookAtPictures(looker, site), importing.follow()],
        ...[renamer.rename(), tagged.follow()],
        ...writers.map((writer) => writer.write()),
        ...followers.map((follower) => follower.follow()),
      ]);
      await kill(kills);
      const ids = await importedIds;
      await until(() => guesses.refused > 0 && calls.refused > 0, 'the end of the limits');
      // The remaining clients run for a moment with all instances.
      await pause(1500);
      isOver = true;
      await clients;
      await untilPagesAreRead(ada, writers);
      await until(() => renamer.haveAllFollowed(), 'the end of the last rename');

      const list = new Set((await asked(ada)).changes.keys());
      const lost = writers.flatMap((writer) => writer.ids).filter((id) => !list.has(id));
      const missed = await Promise.all(followers.map((follower) => follower.differences()));
      const imported = [...(await asked(importer)).changes.keys()];
      const leased = fleet.ends
        .slice(killsBefore)
        .filter(({ signal }) => signal === 'SIGKILL')
        .reduce((calls, { webWorkers }) => calls + LEASED * webWorkers, 0);
      tell(round, kills, {
        seconds: Math.round((Date.now() - begin) / 1000),
        guesses,
        calls,
        acknowledged: writers.flatMap(({ ids }) => ids).length,
      });

      expect(scene.findings).toEqual([]);
      expect(PersistentClient.oddities).toEqual([]);
      expect(lost).toEqual([]);
      expect(missed).toEqual([[], []]);
      expect(imported.toSorted()).toEqual(ids.toSorted());
      expect(await importing.differences()).toEqual([]);
      expect(await tagged.differences()).toEqual([]);
      expect(guesses.passed).toBeLessThanOrEqual(GUESSES);
      expect(guesses.passed + guesses.lost).toBeGreaterThanOrEqual(GUESSES);
      expect(guesses.refused).toBeGreaterThan(0);
      expect(calls.passed).toBeLessThanOrEqual(CALLS_LEFT + 2 * LEASED * MOST_WEB_WORKERS);
      expect(calls.passed + calls.lost + leased).toBeGreaterThanOrEqual(CALLS_LEFT);
      expect(calls.refused).toBeGreaterThan(0);
      expect(pages.most).toMatchObject({ page: 1 });
      expect(pages.most.host).toBeLessThanOrEqual(2);
      expect(cutOffWithoutKill()).toEqual([]);
      expect(fleet.ends.filter(({ signal, code }) => signal === 'SIGTERM' && code !== 0)).toEqual(
        [],
      );
      expect(new Set(fleet.proxy.answers.keys()).size).toBe(INSTANCES);
    },
    ROUND_MS,
  );
});

/**
 * Answers that were cut off without a SIGKILL. On SIGTERM, an instance finishes its answers, and refuses connections
 * that it has not accepted yet.
 */
const cutOffWithoutKill = (): object[] =>
  fleet.proxy.cutOff.filter(
    ({ instance, at, hasBegun }) =>
      hasBegun &&
      !fleet.ends.some(
        (end) =>
          end.instance === instance && end.signal === 'SIGKILL' && at >= end.from && at <= end.to,
      ),
  );

function tell(round: number, kills: number, facts: object): void {
  process.stdout.write(`chaos: round ${round}, ${kills} kills, ${JSON.stringify(facts)}\n`);
}
