import type {
  AnnotatedItem,
  ExportedItem,
  ExportedPage,
  Library,
} from '../../src/lib/library-formats/writing/library.js';

export const URL_OF_ALL = 'https://example.com/?a=1&b="2"';
export const anItem = (more: Partial<ExportedItem> = {}): ExportedItem => ({
  itemId: '1',
  number: 1,
  url: URL_OF_ALL,
  shownTitle: more.title ?? more.url ?? URL_OF_ALL,
  title: '',
  prefersGivenTitle: false,
  tags: [],
  isArchived: false,
  isFavorite: false,
  timeAdded: 1_700_000_000,
  timeUpdated: 1_700_000_001,
  timeRead: 0,
  timeFavorited: 0,
  note: '',
  ...more,
});

export const HOSTILE = 'He said "hi",\r\n</a> & <b>\u202eשלום🧺';
export const SAVED: readonly AnnotatedItem[] = [
  { item: anItem({ title: HOSTILE, tags: ['a b', 'ü&"'] }), annotations: [] },
  {
    item: anItem({
      ...{ itemId: '2', url: 'https://example.com/2', title: '=1+1', tags: ['x'] },
      ...{ isArchived: true, isFavorite: true, timeRead: 1_700_000_002, timeFavorited: 5 },
    }),
    annotations: [
      {
        ...{ annotationId: 'n1', quote: '"so"', patch: '@@', note: '', version: '2', createdAt: 9 },
        ranges: [{ start: '/p[1]', startOffset: 0, end: '/p[1]', endOffset: 4 }],
        color: 'green',
      },
    ],
  },
  { item: anItem({ itemId: '3', url: 'https://example.com/3' }), annotations: [] },
];

const PAGE: ExportedPage = {
  ...{ resolvedUrl: 'https://example.com/2!', title: '=1+1', excerpt: 'It begins.', lang: 'en' },
  ...{ wordCount: 3, topImageUrl: '', authors: [{ name: 'Ada', url: '' }], article: '<p>x</p>' },
};

async function* iterated<T>(things: readonly T[]): AsyncGenerator<T> {
  await Promise.resolve();
  yield* things;
}

export const aLibrary = (saved: readonly AnnotatedItem[]): Library => ({
  newestFirst: () => iterated(saved.map((one) => one.item).toReversed()),
  annotatedItems: () => iterated(saved),
  savedLists: () => Promise.resolve([]),
  page: (itemId) => Promise.resolve(itemId === '2' ? PAGE : undefined),
});

export async function all<T>(things: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const thing of things) {
    found.push(thing);
  }
  return found;
}

export const textOf = async (texts: AsyncIterable<string | Buffer>): Promise<string> =>
  (await all(texts)).join('');
