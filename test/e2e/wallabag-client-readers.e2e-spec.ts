import { WallabagCalls } from '../support/wallabag-calls.js';
import { ANDROID_ARTICLE } from '../support/wallabag-clients/android.js';
import { FRIGOLIGO_ENTRY } from '../support/wallabag-clients/frigoligo.js';
import { IOS_ENTRY } from '../support/wallabag-clients/ios.js';
import { KOREADER_ARTICLE } from '../support/wallabag-clients/koreader-plugin.js';
import { object, orNull, plainDate, type Reads } from '../support/wallabag-clients/models.js';
import { WALLABAGGER_ENTRY } from '../support/wallabag-clients/wallabagger.js';
import { ClientWorld, pageAt } from '../support/wallabag-clients/world.js';

/** The types that Go programs and Plato expect. */
const GO_ENTRY = object({
  ...{ created_at: plainDate, updated_at: plainDate, published_at: orNull(plainDate) },
  ...{ archived_at: orNull(plainDate), starred_at: orNull(plainDate) },
});

const READERS: Readonly<Record<string, Reads<unknown>>> = {
  Android: ANDROID_ARTICLE,
  iOS: IOS_ENTRY,
  Frigoligo: FRIGOLIGO_ENTRY,
  Wallabagger: WALLABAGGER_ENTRY,
  KOReader: KOREADER_ARTICLE,
  Go: GO_ENTRY,
};

const RANGE = { start: '/p[1]', end: '/p[1]', startOffset: 0, endOffset: 7 };

let world: ClientWorld;
let entry: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  world = await ClientWorld.begin();
  const calls = await WallabagCalls.of(world.app);
  const { id } = await calls.saved({ url: pageAt('full'), tags: 'one,two', title: 'Full' });
  await calls.call('post', `annotations/${id}`, { text: 'n', quote: 'q', ranges: [RANGE] });
  const members = { archive: 1, starred: 1 };
  entry = (await calls.call('patch', `entries/${id}`, members).expect(200)).body as object as never;
});
afterAll(() => world.end());

/** Returns the readers that fail. */
const failing = (value: object): string[] =>
  Object.entries(READERS).flatMap(([name, read]) => {
    try {
      read(value);
      return [];
    } catch {
      return [name];
    }
  });

describe('an entry of the wallabag API', () => {
  it('is accepted by the parsers of all apps', () => {
    expect(failing(entry)).toEqual([]);
    expect(Object.values(entry).filter((value) => value !== null).length).toBeGreaterThan(20);
    expect(entry['annotations']).toHaveLength(1);
  });

  it.each<[string, object, readonly string[]]>([
    ['an id of 32 bits', { id: 2 ** 31 }, ['Android']],
    ['an id of 53 bits', { id: 2 ** 52 + 1 }, ['Android']],
    ['an id that is text', { id: '5' }, Object.keys(READERS).filter((name) => name !== 'Go')],
    [
      'a flag that is a boolean',
      { is_archived: true },
      ['Android', 'iOS', 'Frigoligo', 'Wallabagger', 'KOReader'],
    ],
    ['is_public as a number', { is_public: 0 }, ['Android', 'Frigoligo']],
    ['no title', { title: null }, ['Android', 'Wallabagger', 'KOReader']],
    ['no tags', { tags: null }, ['Android', 'Frigoligo', 'Wallabagger', 'KOReader']],
    ['no reading time', { reading_time: null }, ['Android', 'Frigoligo']],
    ['headers that are an array', { headers: [] }, ['Frigoligo']],
    ['a status that is a number', { http_status: 200 }, ['Frigoligo']],
    ['authors within authors', { published_by: [['Ada']] }, ['Android', 'Frigoligo']],
    ['no annotations', { annotations: null }, ['Android']],
    ['no name of the user', { user_name: null }, ['Frigoligo']],
    ['a date that ends in Z', { updated_at: '2026-11-22T13:41:00Z' }, ['Go']],
    ['a date with a colon in its offset', { created_at: '2026-11-22T13:41:00+00:00' }, ['Go']],
    ['a date with a fraction', { updated_at: '2026-11-22T13:41:00.123+0000' }, ['iOS', 'Go']],
    ['no date of archiving, but 0', { archived_at: 0 }, ['Frigoligo', 'Go']],
  ])('with %s is rejected by the expected apps', (_, members, names) => {
    expect(failing({ ...entry, ...members })).toEqual(names);
  });

  it('with an id of 16 digits gets an id in scientific notation in KOReader', () => {
    expect(KOREADER_ARTICLE({ ...entry, id: 2 ** 52 + 1 }).id).toMatch(/e\+15$/);
  });
});
