import { ImportApi } from '../support/import-api.js';
import type { ReadingListApi } from '../support/reading-list-api.js';
import { AndroidApp } from '../support/wallabag-clients/android.js';
import type { Settings } from '../support/wallabag-clients/device.js';
import { Frigoligo } from '../support/wallabag-clients/frigoligo.js';
import { IosApp } from '../support/wallabag-clients/ios.js';
import { ClientWorld, numbered, pageAt } from '../support/wallabag-clients/world.js';

const COUNT = 10_000;
const NAMES = numbered(COUNT);

let world: ClientWorld;
let v3: ReadingListApi;
let settings: Settings;

beforeAll(async () => {
  world = await ClientWorld.begin();
  ({ v3, settings } = await world.user());
  const rows = NAMES.map(
    (name, at) => `${name},${pageAt(name)},${1_700_000_000 + at},later,unread`,
  );
  const file = ['title,url,time_added,tags,status', ...rows].join('\n');
  await new ImportApi(world.app, v3).imported(file);
});
afterAll(() => world.end());

const namesIn = (entries: Iterable<{ readonly title: string | null }>): (string | null)[] =>
  [...entries].map(({ title }) => title);

const listCalls = (asked: readonly string[]): number =>
  asked.filter((one) => one.includes('/api/entries')).length;

describe('a list of ten thousand', () => {
  it('comes to the Android app in order, each entry once, in no more calls than it has pages', async () => {
    const phone = new AndroidApp(settings);

    await phone.fullSync();

    expect(namesIn(phone.articles.values())).toEqual(NAMES);
    const asked = phone.device.sinceLast();
    expect(listCalls(asked)).toBe(Math.ceil(COUNT / 30));
    expect(asked).toHaveLength(listCalls(asked) + 2);
    await v3.results(
      ...NAMES.slice(0, 10).map((name) => ({ action: 'archive', url: pageAt(name) })),
    );
    await phone.fastSync();
    expect(listCalls(phone.device.sinceLast())).toBe(1);
    expect([...phone.articles.values()].filter((one) => one.is_archived)).toHaveLength(10);
    phone.device.close();
  });

  it('comes to the iOS app the last first, until a page is not there', async () => {
    const phone = new IosApp(settings);
    await phone.start();

    await phone.sync();

    expect(namesIn(phone.entries.values())).toEqual(NAMES.toReversed());
    expect(listCalls(phone.device.sinceLast())).toBe(COUNT / 50 + 1);
    phone.device.close();
  });

  it('comes to Frigoligo, which finds a deletion among them in pages of three hundred', async () => {
    const tablet = new Frigoligo(settings);
    await tablet.logIn();
    await tablet.firstSync();
    expect(tablet.entries.size).toBe(COUNT);
    await v3.results({ action: 'delete', url: pageAt('page-4711') });
    tablet.device.sinceLast();

    const seen = [...tablet.entries.values()].map(({ updated_at: date }) => Date.parse(date));
    await tablet.sync(Math.max(...seen) / 1000);

    expect(tablet.entries.size).toBe(COUNT - 1);
    expect(listCalls(tablet.device.sinceLast())).toBe(2 + Math.ceil((COUNT - 1) / 300));
    tablet.device.close();
  });
});
