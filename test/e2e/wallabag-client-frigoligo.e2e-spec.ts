import { bodyOf, textOf } from '../support/breaking.js';
import { AN_HOUR_AGO, type ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import type { Settings } from '../support/wallabag-clients/device.js';
import { Frigoligo } from '../support/wallabag-clients/frigoligo.js';
import { UnreadableError } from '../support/wallabag-clients/models.js';
import { ClientWorld, numbered, pageAt, savePages } from '../support/wallabag-clients/world.js';

let world: ClientWorld;
let v3: ReadingListApi;
let settings: Settings;
let tablet: Frigoligo;

beforeAll(async () => {
  world = await ClientWorld.begin();
});
afterAll(() => world.end());
beforeEach(async () => {
  ({ v3, settings } = await world.user());
  tablet = new Frigoligo(settings);
});
afterEach(() => {
  tablet.device.close();
});

const namesOn = ({ entries }: Frigoligo): string[] =>
  [...entries.values()].map(({ url }) => new URL(url ?? '').pathname.slice(1)).toSorted();

describe('Frigoligo', () => {
  it('accepts the server by its name and version, and rejects another name', async () => {
    expect(await tablet.checkServer()).toBe('2.6.14');

    const named = textOf((text) => text.replace('"wallabag"', '"Satchel"'));
    const other = new Frigoligo(world.broken(settings, named));
    await expect(other.checkServer()).rejects.toThrow(UnreadableError);
    other.device.close();
  });

  it('downloads the whole list in the first sync, and each changed entry in the next sync', async () => {
    await savePages(v3, ...numbered(65));
    await tablet.logIn();
    await tablet.firstSync();
    expect(namesOn(tablet)).toEqual(numbered(65).toSorted());
    expect(tablet.device.sinceLast().filter((one) => one.startsWith('GET'))).toHaveLength(3);

    const url = pageAt('page-9');
    await v3.results({ action: 'favorite', url }, { action: 'delete', url: pageAt('page-8') });
    const since = Math.max(
      ...[...tablet.entries.values()].map(({ updated_at: date }) => Date.parse(date) / 1000),
    );
    await tablet.sync(since);

    expect(namesOn(tablet)).toEqual(
      numbered(65)
        .toSorted()
        .filter((name) => name !== 'page-8'),
    );
    const changed = [...tablet.entries.values()].find(({ given_url: given }) => given === url);
    expect(changed).toMatchObject({ is_starred: 1, content: expect.any(String) });
    const [list, entry, total, all, ...further] = tablet.device.sinceLast();
    expect(list).toContain(`since=${since}&detail=metadata`);
    expect(entry).toBe(`GET /api/entries/${changed!.id}`);
    expect([total, all]).toEqual([
      expect.stringContaining('perPage=1&'),
      expect.stringContaining('perPage=300&'),
    ]);
    expect(further).toEqual([]);
  });

  it('fetches 350 changed entries one by one without reaching a limit', async () => {
    await tablet.logIn();
    await savePages(v3, ...numbered(350));

    await tablet.sync(AN_HOUR_AGO);

    expect(tablet.entries.size).toBe(350);
  });

  it('saves, changes, reloads and deletes an entry, each with one call', async () => {
    await tablet.logIn();
    const { id, tags } = await tablet.save(pageAt('saved'), ['One', 'two']);
    await tablet.change(id, { archive: 1 });
    await tablet.change(id, { starred: 1 });
    const fewer = await tablet.change(id, { tags: 'two' });
    const none = await tablet.change(id, { tags: '' });
    await tablet.reload(id);

    expect(tags.map(({ label }) => label).toSorted()).toEqual(['one', 'two']);
    expect(fewer.tags).toEqual([expect.objectContaining({ label: 'two' })]);
    // An empty list does not remove tags, because some clients send it for unknown tags.
    expect(none.tags).toEqual(fewer.tags);
    const [item] = await v3.items({ state: 'archive', detailType: 'complete' });
    expect([item?.favorite, tagsOf(item)]).toEqual(['1', ['two']]);
    await tablet.delete(id);
    await tablet.delete(id);
    expect(await v3.items({ state: 'all' })).toEqual([]);
    await expect(tablet.change(id, { archive: 0 })).rejects.toMatchObject({ status: 404 });
  });

  it('stays logged in with its refresh token, and is logged out if the token is rejected', async () => {
    await tablet.logIn();
    for (let hour = 0; hour < 3; hour += 1) {
      tablet.isTokenExpired = true;
      await tablet.save(pageAt(`hour-${hour}`), []);
    }
    expect(await v3.names({ sort: 'oldest' })).toEqual(['hour-0', 'hour-1', 'hour-2']);

    await world.expireTokens(v3, 'all');
    tablet.isTokenExpired = true;

    await expect(tablet.sync(0)).rejects.toMatchObject({ status: 400, isLoggedOut: true });
    await tablet.logIn();
    await tablet.firstSync();
    expect(tablet.entries.size).toBe(3);
  });

  it('is not logged out by a wrong password, or by an access token that has expired on the server', async () => {
    const wrong = new Frigoligo({ ...settings, password: 'wrong' });
    await expect(wrong.logIn()).rejects.toMatchObject({ status: 400, isLoggedOut: false });
    wrong.device.close();
    await tablet.logIn();
    await world.expireTokens(v3, 'access');

    await expect(tablet.firstSync()).rejects.toMatchObject({ status: 401, isLoggedOut: false });
  });

  it('cannot parse an entry whose headers are an array', async () => {
    await savePages(v3, 'one');
    const broken = bodyOf(({ _embedded }) => {
      for (const entry of _embedded?.items ?? []) {
        entry.headers = [];
      }
    });
    const other = new Frigoligo(world.broken(settings, broken));
    await other.logIn();

    await expect(other.firstSync()).rejects.toThrow('headers: object expected, not []');
    other.device.close();
  });
});
