import { ImportApi } from '../import-api.js';
import type { ReadingListApi } from '../reading-list-api.js';
import { AndroidApp } from './android.js';
import type { Settings } from './device.js';
import { Frigoligo } from './frigoligo.js';
import { IosApp } from './ios.js';
import { ClientWorld, numbered, pageAt } from './world.js';

const namesIn = (entries: Iterable<{ readonly title: string | null }>): (string | null)[] =>
  [...entries].map(({ title }) => title);

const listCalls = (asked: readonly string[]): number =>
  asked.filter((one) => one.includes('/api/entries')).length;

/** Tests the first sync of each app with a list of `count` entries, and the next sync. */
export function describeFullSync(count: number): void {
  describe(`a list of ${count} entries`, () => {
    const names = numbered(count);
    let world: ClientWorld;
    let v3: ReadingListApi;
    let settings: Settings;

    beforeAll(async () => {
      world = await ClientWorld.begin();
      ({ v3, settings } = await world.user());
      const rows = names.map(
        (name, at) => `${name},${pageAt(name)},${1_700_000_000 + at},later,unread`,
      );
      const file = ['title,url,time_added,tags,status', ...rows].join('\n');
      await new ImportApi(world.app, v3).imported(file);
    });
    afterAll(() => world.end());

    it('comes to the Android app in order, each entry once, in no more calls than it has pages', async () => {
      const phone = new AndroidApp(settings);

      await phone.fullSync();

      expect(namesIn(phone.articles.values())).toEqual(names);
      const asked = phone.device.sinceLast();
      expect(listCalls(asked)).toBe(Math.ceil(count / 30));
      expect(asked).toHaveLength(listCalls(asked) + 2);
      await v3.results(
        ...names.slice(0, 10).map((name) => ({ action: 'archive', url: pageAt(name) })),
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

      expect(namesIn(phone.entries.values())).toEqual(names.toReversed());
      expect(listCalls(phone.device.sinceLast())).toBe(count / 50 + 1);
      phone.device.close();
    });

    it('comes to Frigoligo, which finds a deletion among them in pages of three hundred', async () => {
      const tablet = new Frigoligo(settings);
      await tablet.logIn();
      await tablet.firstSync();
      expect(tablet.entries.size).toBe(count);
      await v3.results({ action: 'delete', url: pageAt(names[Math.floor(count / 2)]!) });
      tablet.device.sinceLast();

      const seen = [...tablet.entries.values()].map(({ updated_at: date }) => Date.parse(date));
      await tablet.sync(Math.max(...seen) / 1000);

      expect(tablet.entries.size).toBe(count - 1);
      expect(listCalls(tablet.device.sinceLast())).toBe(2 + Math.ceil((count - 1) / 300));
      tablet.device.close();
    });
  });
}
