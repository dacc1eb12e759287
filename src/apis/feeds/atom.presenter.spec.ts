import { anItemRow } from '../../../test/support/an-item-row.js';
import { readAtom } from '../../../test/support/read-feed.js';
import { english } from '../../platform/i18n/translator.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { presentAtom } from './atom.presenter.js';
import { type Feed, feedOf } from './feed.js';
import { listAsked } from './feed-choice.js';
import { presentJsonFeed } from './json-feed.presenter.js';

const FEED_ID = '0b7b4a5e-8f5f-4f52-9c8e-6a2c1f0d9e11';

const feedWith = (columns: Partial<ItemRow>, file = 'unread.atom'): Feed =>
  feedOf(
    {
      feedId: FEED_ID,
      choice: listAsked(file)!.choice,
      rows: [anItemRow(columns)],
      selfUrl: 'http://example.org/feeds/x/unread.atom?a&b',
      base: 'http://example.org',
      issuedAt: 1,
    },
    english,
  );

const atomWith = (columns: Partial<ItemRow>): ReturnType<typeof readAtom> =>
  readAtom(presentAtom(feedWith(columns)));

/** The first 0x3000 code points. They contain all delimiters of XML and the control characters that XML forbids. */
const ALL = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).join('');

const HOSTILE: readonly (readonly [what: string, text: string, shown: string])[] = [
  ['markup', '</title><script>alert(1)</script>', '</title><script>alert(1)</script>'],
  ['the end of CDATA', ']]> <![CDATA[ <!-- -->', ']]> <![CDATA[ <!-- -->'],
  ['entities', '&lt; &xxe; &#0; &', '&lt; &xxe; &#0; &'],
  ['quotes', `"'><a href="x`, `"'><a href="x`],
  ['lone surrogates', 'a\ud800b\udc00c', 'a\ufffdb\ufffdc'],
  ['noncharacters', 'a\ufffe\uffffb', 'ab'],
  ['control characters', 'a\u0000\u0001\u000b\u000c\u001b\u009fb', 'a b'],
  ['overrides of the direction', '\u202egpj.exe\u202c \u2067x', 'gpj.exe x'],
  ['marks of the direction', '\u200fשלום\u200e', '\u200fשלום\u200e'],
  ['line ends', ' a\r\n\tb\u2028c ', 'a b c'],
  ['emoji', '👩‍👩‍👧 🏳️‍🌈', '👩‍👩‍👧 🏳️‍🌈'],
];

describe('an entry', () => {
  it.each(HOSTILE)('holds %s as text', (_, text, shown) => {
    const media = { authors: [{ id: '1', name: text, url: '' }], images: [], videos: [] };
    const columns = { given_title: text, excerpt: text, tags: [text], media, lang: text };

    const { entries } = atomWith(columns);
    const { items } = JSON.parse(presentJsonFeed(feedWith(columns))) as {
      items: { title: string }[];
    };

    expect(entries).toEqual([
      expect.objectContaining({ title: shown, summary: shown, tags: [shown], authors: [shown] }),
    ]);
    // JSON can contain U+FFFE and U+FFFF, but XML cannot.
    expect(items[0]!.title.replaceAll(/[\ufffe\uffff]/g, '')).toBe(shown);
  });

  it('is well-formed with all characters in all places', () => {
    const { entries } = atomWith({ given_title: ALL, excerpt: ALL, tags: [ALL], lang: ALL });

    expect(entries[0]!.title.length).toBeGreaterThan(0x2e00);
    expect(entries[0]!.lang).toBeNull();
  });

  it.each([
    ['example.com:8080/x', 'http://example.com:8080/x'],
    [
      'http://bücher.example/ä?q="<&>\'#!/x',
      'http://xn--bcher-kva.example/%C3%A4?q=%22%3C&%3E%27#!/x',
    ],
    ['http://example.com/\ud800', 'http://example.com/%EF%BF%BD'],
  ])('links to %s', (given, url) => {
    expect(atomWith({ given_url: given }).entries[0]!.links).toEqual({
      alternate: url,
      related: 'http://example.org/read/4503599627370496',
    });
  });

  it('has a title, also where only characters are given that cannot be shown', () => {
    const { entries } = atomWith({ given_title: '\u202e\u0001', prefers_given_title: true });

    expect(entries[0]!.title).toBe('http://example.com/a');
  });

  it.each([
    [{ time_added: '5', time_updated: '7' }, '1970-01-01T00:00:05Z', '1970-01-01T00:00:07Z'],
    [{ time_added: '5', time_updated: '0' }, '1970-01-01T00:00:05Z', '1970-01-01T00:00:05Z'],
    [
      { time_added: '9223372036854775807', time_updated: '0' },
      '9999-12-31T23:59:59Z',
      '9999-12-31T23:59:59Z',
    ],
    [{ time_added: '-5', time_updated: '-5' }, '1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
  ])('has the times of %j', (columns, published, updated) => {
    expect(atomWith(columns).entries[0]).toMatchObject({ published, updated });
  });

  it('of the archive is as old as its reading, if that is known', () => {
    const read = feedWith({ time_added: '5', time_read: '9' }, 'archive.json');
    const imported = feedWith({ time_added: '5', time_read: '0' }, 'archive.json');

    expect(read.entries[0]!.published).toBe('1970-01-01T00:00:09Z');
    expect(imported.entries[0]!.published).toBe('1970-01-01T00:00:05Z');
  });

  it('has an id that is the same in all feeds of its user, and another for another user', () => {
    const row = [anItemRow()];
    const [choice, selfUrl, base] = [listAsked('archive.atom')!.choice, '', ''];
    const ids = [FEED_ID, FEED_ID.replace('0', '1')].map(
      (feedId) =>
        feedOf({ feedId, choice, rows: row, selfUrl, base, issuedAt: 0 }, english).entries[0]!.id,
    );

    expect(ids[0]).toBe(feedWith({}).entries[0]!.id);
    expect(ids[0]).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(ids[1]).not.toBe(ids[0]);
  });
});
