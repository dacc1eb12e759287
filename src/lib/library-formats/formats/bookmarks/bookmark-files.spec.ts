import { readFixture } from '../../../../../test/support/read-export.js';

const CLOCKS = { url: 'https://clocks.example/', title: 'Clocks' };
const LATHES = { url: 'https://lathes.example/', title: 'Lathes' };

describe('the files of the fixtures', () => {
  it.each([
    [
      'pinboard.html',
      'netscape',
      [
        {
          ...CLOCKS,
          tags: ['time', 'brass'],
          status: 0,
          timeAdded: 1700000001,
          note: 'Look at the escapement',
        },
        { url: 'https://rain.example/', title: 'Rain gauges', status: 1, timeAdded: 1700000002 },
      ],
    ],
    [
      'instapaper.html',
      'instapaper-html',
      [
        { ...LATHES, tags: ['Workshop & tools'], status: 0 },
        { ...CLOCKS, favorite: 1 },
        { url: 'https://rain.example/?a=1&b=2', status: 0 },
        { ...CLOCKS, status: 0 },
        { url: 'https://sundials.example/', title: 'Sundials', status: 1 },
      ],
    ],
    [
      'onetab.txt',
      'urls',
      [
        { url: 'https://clocks.example/', title: 'Clocks | The collection' },
        LATHES,
        { url: 'chrome://extensions/', title: 'Extensions' },
      ],
    ],
    [
      'links.md',
      'urls',
      [
        { url: 'https://dovetails.example/', title: 'Dovetails', tags: ['wood'], status: 0 },
        { url: 'https://sundials.example/', status: 1 },
        { url: 'https://rain.example/', title: 'Rain gauges' },
      ],
    ],
    [
      'firefox.json',
      'firefox-json',
      [
        { ...CLOCKS, tags: ['time', 'brass'], timeAdded: 1700000001, timeUpdated: 1700000002 },
        { ...LATHES, tags: ['Workshop'], timeAdded: 1700000003 },
      ],
    ],
    [
      'chrome-bookmarks.json',
      'chrome-json',
      [
        { ...CLOCKS, timeAdded: 1700000523 },
        { ...LATHES, tags: ['Workshop'], timeAdded: 1700000523 },
      ],
    ],
  ])('%s is read as %s', async (name, format, items) => {
    const read = await readFixture(name);

    expect(read.format).toBe(format);
    expect(read.items).toEqual(items);
  });
});
