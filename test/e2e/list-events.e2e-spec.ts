import { Injectable } from '@nestjs/common';

import { Database } from '../../src/platform/database/database.js';
import type { ListEvent } from '../../src/reading-list/events/list-event.entity.js';
import { ListEventHandler } from '../../src/reading-list/events/list-event-handler.js';
import { aFetcher } from '../support/a-fetcher.js';
import { ImportApi } from '../support/import-api.js';
import { eventsIn, subscribe, unsubscribe } from '../support/list-events.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** Records the events of each user. */
@Injectable()
class RecordingHandler extends ListEventHandler {
  readonly name = 'recorder';
  private readonly events = new Map<string, ListEvent[]>();

  override handle(userId: string, events: readonly ListEvent[]): Promise<void> {
    this.events.set(userId, [...this.of(userId), ...events]);
    return Promise.resolve();
  }

  of(userId: string): ListEvent[] {
    return this.events.get(userId) ?? [];
  }
}

let host: PublicHost;
let app: TestApp;
let beside: TestApp;
let person: ReadingListApi;
let userId: string;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 1, resolveWaitMs: 60_000 },
    providers: [RecordingHandler],
    fetcher: aFetcher(host),
  });
  beside = await aTestApp({ beside: app, providers: [RecordingHandler], fetcher: aFetcher(host) });
});
afterAll(async () => {
  await beside.close();
  await app.close();
  await host.stop();
});
beforeEach(async () => {
  person = await ReadingListApi.of(app);
  userId = person.user.id;
  await subscribe({ database: app.app.get(Database) }, userId, 'recorder');
});

/** Returns the events that either instance has handled, in their order. */
const handled = (): ListEvent[] =>
  [app, beside]
    .flatMap((one) => one.app.get(RecordingHandler).of(userId))
    .toSorted((one, other) => Number(one.sequence) - Number(other.sequence));
const kinds = (): string[] => handled().map(({ kind }) => kind);

it('a handler gets the events of a page that is saved, fetched, archived and deleted, once each', async () => {
  host.answer(ok('<title>Tides</title><article>The tide is high.</article>'));
  const itemId = await person.saved(host.url('/tides', 'tides.example'));

  await person.sent({ action: 'archive', item_id: itemId }, { action: 'add', url: 'b.example' });
  await person.sent({ action: 'delete', item_id: itemId });
  await until(() => Promise.resolve(kinds().includes('item.deleted')));

  expect(
    handled()
      .filter((event) => event.itemId === itemId)
      .map(({ kind }) => kind),
  ).toEqual(['item.added', 'item.fetched', 'item.archived', 'item.deleted']);
  await until(async () => (await eventsIn(app.database, userId)).length === 0);
});

it('a handler gets counts and the end of an import', async () => {
  const job = await new ImportApi(app, person).imported('a.example\nb.example\n');

  await until(() => Promise.resolve(kinds().includes('import.finished')));

  expect(job).toMatchObject({ state: 'done', added: 2 });
  expect(
    handled()
      .filter(({ itemId }) => itemId === null)
      .map(({ kind, count }) => [kind, count]),
  ).toEqual([
    ['item.added', 2],
    ['import.finished', 2],
  ]);
});

it('a handler gets no events after its subscription has ended', async () => {
  await unsubscribe({ database: app.app.get(Database) }, userId, 'recorder');

  await person.saved('https://late.example/');

  expect(await eventsIn(app.database, userId)).toEqual([]);
});

it('the health details show the delivery of events', async () => {
  const health = async (): Promise<unknown> => (await fetch(`${app.url}/health`)).json();

  expect(await health()).toMatchObject({ details: { EventDelivery: { status: 'up' } } });
});
