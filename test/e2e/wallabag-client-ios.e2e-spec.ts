import { statusOf } from '../support/breaking.js';
import { type ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import type { Settings } from '../support/wallabag-clients/device.js';
import { IosApp, IosRefusal } from '../support/wallabag-clients/ios.js';
import { ClientWorld, numbered, pageAt, savePages } from '../support/wallabag-clients/world.js';

let world: ClientWorld;
let v3: ReadingListApi;
let settings: Settings;
let phone: IosApp;

beforeAll(async () => {
  world = await ClientWorld.begin();
});
afterAll(() => world.end());
beforeEach(async () => {
  ({ v3, settings } = await world.user());
  phone = new IosApp(settings);
});
afterEach(() => {
  phone.device.close();
});

const namesOn = ({ entries }: IosApp): string[] =>
  [...entries.values()].map(({ url }) => new URL(url ?? '').pathname.slice(1));

const listCalls = (): number =>
  phone.device.sinceLast().filter((one) => one.includes('/api/entries.json')).length;

describe("wallabag's iOS app", () => {
  it('fetches the settings of the server at its start', async () => {
    await phone.start();

    expect(phone.config).toMatchObject({ items_per_page: 30, language: 'en', reading_speed: 200 });
  });

  it.each([
    ['nothing', 0, 2],
    ['less than a page', 7, 2],
    ['exactly two pages', 100, 3],
    ['a page and some', 51, 3],
  ])('fetches a list of %s until a page is missing', async (_, count, calls) => {
    await savePages(v3, ...numbered(count));
    await phone.start();

    await phone.sync();

    expect(namesOn(phone)).toEqual(numbered(count).reverse());
    expect(listCalls()).toBe(calls);
  });

  it('removes entries that were deleted elsewhere, and gets changed entries', async () => {
    await savePages(v3, ...numbered(60));
    await phone.start();
    await phone.sync();
    await v3.results(
      { action: 'delete', url: pageAt('page-1') },
      { action: 'delete', url: pageAt('page-58') },
      { action: 'archive', url: pageAt('page-2') },
      { action: 'tags_add', url: pageAt('page-2'), tags: 'later' },
    );

    await phone.sync();

    const names = numbered(60).filter((name) => !['page-1', 'page-58'].includes(name));
    expect(namesOn(phone).toSorted()).toEqual(names.toSorted());
    const changed = [...phone.entries.values()].find(({ url }) => url === pageAt('page-2'));
    expect(changed).toMatchObject({ is_archived: 1, tags: [{ label: 'later' }] });
    expect(phone.tags).toEqual(['later']);
  });

  it('saves, changes, tags, reloads and deletes entries', async () => {
    await phone.start();
    const saved = await phone.save(pageAt('saved'));
    const shared = await phone.save(pageAt('shared'), {
      title: 'From the share sheet',
      content: '<p>What the browser shows.</p>',
    });
    await phone.change(saved.id, { archive: true, starred: true });
    const { tags } = await phone.tag(saved.id, 'To Read');
    await phone.tag(saved.id, 'other');
    await phone.untag(saved.id, tags?.[0]?.id ?? 0);
    const back = await phone.change(saved.id, { archive: false });

    expect(shared.title).toBe('From the share sheet');
    expect(back).toMatchObject({ is_archived: 0, is_starred: 1, tags: [{ label: 'other' }] });
    const [item] = await v3.items({ favorite: 1, detailType: 'complete' });
    expect(tagsOf(item)).toEqual(['other']);
    await phone.reload(saved.id);
    await phone.delete(saved.id);
    await phone.sync();
    expect(namesOn(phone)).toEqual(['shared']);
  });

  it('can log in many times at once, and all logins stay valid', async () => {
    const parts = Array.from({ length: 12 }, () => new IosApp(settings));
    await phone.start();
    await Promise.all(parts.map((part) => part.start()));
    await Promise.all(parts.map((part, at) => part.save(pageAt(`shared-${at}`))));

    await phone.sync();

    expect(phone.entries.size).toBe(12);
    parts.forEach(({ device }) => {
      device.close();
    });
  });

  it('gets the reason of a rejected login and of an expired token', async () => {
    const wrong = new IosApp({ ...settings, password: 'wrong' });
    await expect(wrong.start()).rejects.toEqual(
      new IosRefusal(400, 'Invalid username and password combination'),
    );
    wrong.device.close();
    await phone.start();
    await world.expireTokens(v3, 'access');

    await expect(phone.save(pageAt('late'))).rejects.toMatchObject({
      ...{ status: 401, reason: 'The access token provided has expired.' },
    });
    await phone.start();
    await phone.save(pageAt('late'));
    expect(await v3.names()).toEqual(['late']);
  });

  it('loses entries if a token becomes invalid during a sync, but not after a 429', async () => {
    await savePages(v3, ...numbered(60));
    const other = new IosApp(world.broken(settings, {}));
    await other.start();
    await other.sync();
    expect(other.entries.size).toBe(60);
    world.broken(settings, statusOf(404, 429));
    await other.sync();
    expect(other.entries.size).toBe(60);

    world.broken(settings, {
      request: ({ path }) =>
        path.includes('page=2')
          ? { status: 401, headers: {}, text: '{"error":"x","error_description":"x"}' }
          : undefined,
    });
    await other.sync();

    expect(other.entries.size).toBe(50);
    other.device.close();
  });
});
