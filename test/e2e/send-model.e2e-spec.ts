import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ACTIONS = ['add', 'archive', 'readd', 'favorite', 'unfavorite', 'delete', 'nonsense'];
const URLS = ['a', 'b', 'c', 'd'].map((name) => `https://example.com/${name}`);
const CHANGES = new Map([
  ['archive', { status: '1' }],
  ['readd', { status: '0' }],
  ['favorite', { favorite: '1' }],
  ['unfavorite', { favorite: '0' }],
]);

interface Sent {
  readonly action: string;
  readonly url: string;
}

/** A list as the specification defines it. */
class ListModel {
  readonly items = new Map<string, object>();
  private readonly buried = new Set<string>();

  /** Applies an action. Returns its result. */
  apply({ action, url }: Sent): boolean {
    const item = this.items.get(url);
    if (!URLS.includes(url) || action === 'nonsense') {
      return false;
    }
    if (action === 'add') {
      this.items.set(url, { favorite: '0', ...item, status: '0' });
      return true;
    }
    if (action === 'delete') {
      return this.delete(url);
    }
    Object.assign(item ?? {}, CHANGES.get(action));
    return item !== undefined;
  }

  private delete(url: string): boolean {
    if (this.items.delete(url)) {
      this.buried.add(url);
    }
    return this.buried.has(url);
  }
}

/** A deterministic sequence of pseudo-random numbers. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

describe('the results of a /v3/send batch', () => {
  it.each([1, 2, 3, 4, 5, 6])('match a model of the list: random seed %d', async (seed) => {
    const api = await ReadingListApi.of(app);
    const random = numbers(seed);
    const pick = (texts: readonly string[]): string =>
      texts[Math.floor(random.next().value * texts.length)]!;
    const model = new ListModel();
    const batch = Array.from({ length: 60 }, () => ({
      action: pick(ACTIONS),
      url: pick([...URLS, 'mailto:nobody']),
    }));

    const { status, action_results } = await api.sent(...batch);

    const expected = batch.map((action) => model.apply(action));
    expect(action_results).toEqual(expected);
    expect(status).toBe(expected.every(Boolean) ? 1 : 0);
    const items = await api.items();
    expect(
      new Map(items.map(({ given_url: url, status, favorite }) => [url, { status, favorite }])),
    ).toEqual(model.items);
  });
});
