import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { UserRepository } from '../../src/auth/user.repository.js';
import { EventDelivery } from '../../src/reading-list/events/event-delivery.js';
import type { ListEvent } from '../../src/reading-list/events/list-event.entity.js';
import { ListEventHandler } from '../../src/reading-list/events/list-event-handler.js';
import { ListRepository } from '../../src/reading-list/list/list.repository.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { eventsIn, subscribe } from '../support/list-events.js';

type Handle = ListEventHandler['handle'];

/** Records the events that it gets as `USER: URL paths`. */
class TestHandler extends ListEventHandler {
  readonly handled: string[] = [];
  before: Handle = () => Promise.resolve();

  constructor(readonly name: string) {
    super();
  }

  override async handle(
    userId: string,
    events: readonly ListEvent[],
    manager: EntityManager,
  ): Promise<void> {
    await this.before(userId, events, manager);
    const urls = await manager.query<{ given_url: string }[]>(
      'SELECT given_url FROM items WHERE user_id = $1 AND item_id = ANY ($2) ORDER BY added_order',
      [userId, events.map(({ itemId }) => itemId)],
    );
    this.handled.push(...urls.map(({ given_url }) => `${userId}: ${new URL(given_url).pathname}`));
  }
}

let lists: ListsOnPostgres;
let delivery: EventDelivery;
let handler: TestHandler;
let user: string;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
  delivery = new EventDelivery(lists.database);
});
afterAll(() => lists.stop());
beforeEach(async () => {
  await lists.clear();
  jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  user = await aSubscriber();
  handler = new TestHandler('test');
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function aSubscriber(): Promise<string> {
  const id = await lists.aUser();
  await subscribe(lists, id, 'test');
  return id;
}

const save = (owner: string, ...names: string[]): Promise<unknown> =>
  lists.send(
    owner,
    names.map((name) => ({ action: 'add', url: `https://site.example/${name}` })),
  );
const count = async (): Promise<number> => (await eventsIn(lists.tables, user)).length;
const makeDue = (): Promise<unknown> =>
  lists.tables.query('UPDATE event_subscriptions SET due_at = now()');
const dueInSeconds = async (): Promise<number> => {
  const [row] = await lists.tables.query<{ seconds: number }>(
    'SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM event_subscriptions WHERE user_id = $1',
    [user],
  );
  return row!.seconds;
};
async function deliverEverything(...handlers: ListEventHandler[]): Promise<void> {
  while (await delivery.deliverAll(handlers)) {
    // More events may follow.
  }
}

describe('the delivery of events', () => {
  it('is in order for each user, and deletes the events', async () => {
    const other = await aSubscriber();
    await save(user, 'a', 'b');
    await save(other, 'x');
    await save(user, 'c');

    await deliverEverything(handler);

    expect(handler.handled.filter((one) => one.startsWith(`${user}:`))).toEqual(
      ['a', 'b', 'c'].map((name) => `${user}: /${name}`),
    );
    expect(handler.handled).toContain(`${other}: /x`);
    expect(handler.handled).toHaveLength(4);
    expect(await count()).toBe(0);
  });

  it('reaches all subscribers of all users in one pass', async () => {
    const handlers = ['test', 'second', 'third'].map((name) => new TestHandler(name));
    const users = [user, ...(await Promise.all(Array.from({ length: 129 }, aSubscriber)))];
    for (const owner of users) {
      await subscribe(lists, owner, 'second');
      await subscribe(lists, owner, 'third');
    }
    // The rows of users are not in the order of their ids.
    for (const owner of users.toSorted((a, b) => Number(b) - Number(a))) {
      await save(owner, 'a');
    }

    await delivery.deliverAll(handlers);

    const expected = users.map((owner) => `${owner}: /a`).toSorted();
    for (const { handled } of handlers) {
      expect(handled.toSorted()).toEqual(expected);
    }
  });

  it('continues until all events are handled', async () => {
    const names = Array.from({ length: 250 }, (_, at) => `${at}`);
    for (let at = 0; at < names.length; at += 50) {
      await save(user, ...names.slice(at, at + 50));
    }

    await deliverEverything(handler);

    expect(handler.handled).toEqual(names.map((name) => `${user}: /${name}`));
  });

  it('is repeated from the same event after a failure, and nothing of the handler stays', async () => {
    await save(user, 'a');
    handler.before = async (userId, _, manager) => {
      await manager.query(`UPDATE users SET name = 'changed' WHERE id = $1`, [userId]);
      throw new Error('broken');
    };

    expect(await delivery.deliverAll([handler])).toBe(false);
    const [owner] = await lists.tables.query('SELECT name FROM users WHERE id = $1', [user]);
    const waitsSeconds = await dueInSeconds();
    handler.before = () => Promise.resolve();
    const tooEarly = await delivery.deliverAll([handler]);
    await makeDue();
    await deliverEverything(handler);

    expect([owner, tooEarly]).toEqual([{ name: 'Ada' }, false]);
    expect(waitsSeconds).toBeGreaterThan(0);
    expect(handler.handled).toEqual([`${user}: /a`]);
  });

  it('waits longer after each further failure, and is logged as an error from the third one', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    await save(user, 'a');
    handler.before = () => Promise.reject(new Error('broken'));
    const waits: number[] = [];
    const logged: number[] = [];

    for (let attempt = 0; attempt < 14; attempt += 1) {
      await makeDue();
      await delivery.deliverAll([handler]);
      waits.push(await dueInSeconds());
      logged.push(errors.mock.calls.length);
    }

    expect(waits.slice(0, 12)).toEqual(waits.slice(0, 12).toSorted((a, b) => a - b));
    expect(Math.max(...waits)).toBeLessThanOrEqual(3600);
    expect(waits.at(-1)).toBeGreaterThan(3000);
    expect(logged.slice(0, 4)).toEqual([0, 0, 1, 2]);
  });

  it('reaches other users and other handlers while one fails', async () => {
    const other = await aSubscriber();
    const second = new TestHandler('second');
    await subscribe(lists, user, 'second');
    await save(user, 'a');
    await save(other, 'b');
    handler.before = (userId) =>
      userId === user ? Promise.reject(new Error('broken')) : Promise.resolve();

    await deliverEverything(handler, second);

    expect(handler.handled).toEqual([`${other}: /b`]);
    expect(second.handled).toEqual([`${user}: /a`]);
    expect(await count()).toBe(1);
  });

  it('keeps events until the last subscriber has handled them', async () => {
    const second = new TestHandler('second');
    await subscribe(lists, user, 'second');
    await save(user, 'a');

    await deliverEverything(handler);
    const before = await count();
    await deliverEverything(second);

    expect([before, await count()]).toEqual([1, 0]);
  });

  it('leaves the events of a subscriber without a handler', async () => {
    await save(user, 'a');

    await deliverEverything();
    await deliverEverything(new TestHandler('unknown'));

    expect(await count()).toBe(1);
  });

  it('gives a new subscriber only the events after its subscription', async () => {
    await save(user, 'a');
    const second = new TestHandler('second');
    await subscribe(lists, user, 'second');
    await save(user, 'b');
    await subscribe(lists, user, 'test');

    await deliverEverything(handler, second);

    expect(second.handled).toEqual([`${user}: /b`]);
    expect(handler.handled).toEqual([`${user}: /a`, `${user}: /b`]);
  });
});

describe('two processes that deliver events at the same time', () => {
  it('handle each event once', async () => {
    const users = [user, ...(await Promise.all(Array.from({ length: 5 }, aSubscriber)))];
    const names = Array.from({ length: 30 }, (_, at) => `${at}`);
    await Promise.all(users.map((owner) => save(owner, ...names)));
    const others = [new TestHandler('test'), new TestHandler('test')];

    await Promise.all([handler, ...others].map((one) => deliverEverything(one)));

    const handled = [handler, ...others].flatMap((one) => one.handled);
    const expected = users.flatMap((owner) => names.map((name) => `${owner}: /${name}`));
    expect(handled.toSorted()).toEqual(expected.toSorted());
  });

  it('do not wait for each other', async () => {
    await save(user, 'a');
    const other = await aSubscriber();
    await save(other, 'b');
    const second = new TestHandler('test');

    handler.before = async (userId) => {
      if (userId === user) {
        await deliverEverything(second);
      }
    };
    await deliverEverything(handler);

    expect([second.handled, handler.handled]).toEqual([[`${other}: /b`], [`${user}: /a`]]);
  });

  it('delete an event that two subscribers have handled at the same time', async () => {
    const second = new TestHandler('second');
    await subscribe(lists, user, 'second');
    await save(user, 'a');

    handler.before = () => deliverEverything(second);
    await deliverEverything(handler);

    expect([handler.handled.length, second.handled.length, await count()]).toEqual([1, 1, 0]);
  });
});

describe('the deletion of an account', () => {
  it('leaves no events and no subscriptions, also while events are delivered', async () => {
    await save(user, 'a');
    let deletion: Promise<unknown> = Promise.resolve();
    handler.before = async (userId, _, manager) => {
      deletion = lists.database.transaction((other) =>
        UserRepository.in(other).deleteAccount(userId),
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      await ListRepository.in(manager).lock(userId);
    };

    await delivery.deliverAll([handler]).catch(() => undefined);
    await deletion;

    const left = await lists.tables.query(
      `SELECT user_id FROM list_events WHERE user_id = $1
       UNION ALL SELECT user_id FROM event_subscriptions WHERE user_id = $1`,
      [user],
    );
    expect(left).toEqual([]);
  });
});
