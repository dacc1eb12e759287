import { setTimeout as pause } from 'node:timers/promises';

import { CitusNetwork } from '../support/citus-network.js';
import { brokenPromises } from '../support/list-invariants.js';
import { Fleet } from '../support/many-instances/fleet.js';
import { asked, Follower, Writer } from '../support/many-instances/list-clients.js';
import { PersistentClient } from '../support/many-instances/persistent-client.js';
import { Person, type Scene } from '../support/many-instances/person.js';
import { until } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const LIMIT_MS = 900_000;
const CALLS = 10;
const WAYS = ['refusing', 'cutting', 'silent'] as const;

let database: TestDatabase;
let network: CitusNetwork;
let fleet: Fleet;
let consumerKey: string;
let isOver: boolean;
let scene: Scene;
let saved: number;

beforeAll(async () => {
  database = await aDatabase();
  network = await CitusNetwork.before(database);
  fleet = await Fleet.start({
    databaseUrl: database.url,
    count: 1,
    variables: {
      RESOLVER_CONCURRENCY: '0',
      ...{ CALL_LIMIT_PER_USER: '0', CALL_LIMIT_PER_KEY: '0', REGISTER_LIMIT_PER_ADDRESS: '0' },
      ...{ LOGIN_LIMIT_PER_ADDRESS: '0', LOGIN_LIMIT_PER_ACCOUNT: '0' },
    },
  });
  consumerKey = await fleet.consumerKey();
}, LIMIT_MS);
beforeEach(() => {
  isOver = false;
  saved = 0;
  scene = { url: fleet.url, consumerKey, isOver: () => isOver, findings: [] };
});
afterAll(async () => {
  await fleet.close();
  await network.close();
  await database.drop();
});

async function serverOf(person: Person): Promise<number> {
  const [user] = await database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
    person.email,
  ]);
  return network.serverOf(user!.id);
}

/** Returns a person for each server with lists, in the order of the servers. */
async function aPersonOnEachServer(): Promise<Person[]> {
  const people = new Map<number, Person>();
  while (people.size < network.servers.length) {
    const person = await Person.signedUp(scene);
    people.set(await serverOf(person), person);
  }
  return network.servers.map((server) => people.get(server)!);
}

/** Sends one call without retries. Returns the status. */
async function statusOf(person: Person, path: string, members: object = {}): Promise<number> {
  const { status } = await fetch(`${fleet.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...person.credentials, ...members }),
  });
  return status;
}

const save = (person: Person): Promise<number> =>
  statusOf(person, '/v3/add', { url: `https://saved.example/${(saved += 1)}`, title: 'lanterns' });

const found = async (person: Person): Promise<number> => {
  const { list } = await person.called<{ list: object }>('/v3/get', { search: 'lanterns' });
  return Object.keys(list).length;
};

/** Lets each person write with two clients and follow with one during the work. Expects that nothing was lost. */
async function whileAllWrite(people: readonly Person[], work: () => Promise<void>): Promise<void> {
  const clients = people.map((person, n) => ({
    person,
    writers: [0, 1].map((w) => new Writer(person.as(`writer ${w}`), `${person.email}-${w}`, n + w)),
    follower: new Follower(person.as('phone')),
  }));
  const running = Promise.all(
    clients.flatMap(({ writers, follower }) => [
      follower.follow(),
      ...writers.map((writer) => writer.write()),
    ]),
  );
  try {
    await work();
  } finally {
    isOver = true;
  }
  await running;

  expect(scene.findings).toEqual([]);
  expect(PersistentClient.oddities).toEqual([]);
  for (const { person, writers, follower } of clients) {
    const list = new Set((await asked(person)).changes.keys());
    const ids = writers.flatMap((writer) => writer.ids);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !list.has(id))).toEqual([]);
    expect(await follower.differences()).toEqual([]);
  }
  await until(
    async () => (await database.query('SELECT FROM due_texts LIMIT 1')).length === 0,
    'the words of all items',
  );
  expect(await brokenPromises(database)).toEqual({});
}

describe('one unreachable server with lists', () => {
  it(
    'fails calls of its users only, and stops no background work for others',
    async () => {
      const people = await aPersonOnEachServer();
      const [away = 0] = network.servers;
      const [absent, ...others] = people;
      network.become(away, 'refusing');

      const refused = [await save(absent!), await statusOf(absent!, '/v3/get')];
      const answers: number[] = [];
      for (let call = 0; call < CALLS; call += 1) {
        answers.push(
          ...(await Promise.all(others.flatMap((one) => [save(one), found(one).then(() => 200)]))),
        );
      }
      await until(async () => (await database.query('SELECT FROM due_texts LIMIT 1')).length === 0);
      network.become(away, 'open');
      await until(async () => (await save(absent!)) === 200, 'the return of the server');

      expect(refused).toEqual([503, 503]);
      expect(new Set(answers)).toEqual(new Set([200]));
      expect(await Promise.all(others.map(found))).toEqual(others.map(() => CALLS));
    },
    LIMIT_MS,
  );

  it.each(WAYS)(
    'loses no acknowledged change while its network is %s',
    async (way) => {
      const people = await aPersonOnEachServer();

      await whileAllWrite(people, async () => {
        for (const server of network.servers) {
          await pause(1000);
          network.become(server, way);
          await pause(4000);
          network.become(server, 'open');
          for (const person of people) {
            await person.called('/v3/add', { url: `https://well.example/${Date.now()}` });
          }
        }
      });
    },
    LIMIT_MS,
  );
});
