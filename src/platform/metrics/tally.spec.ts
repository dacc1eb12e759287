import { Tally } from './tally.js';

describe('Tally', () => {
  it('starts known values with 0, and adds further values when they occur', () => {
    const tally = new Tally<string>(['hit', 'miss']);

    tally.add('hit');
    tally.add('hit', 2);
    tally.add('other');

    expect(tally.samples('result', { cache: 'items' })).toEqual([
      { labels: { cache: 'items', result: 'hit' }, value: 3 },
      { labels: { cache: 'items', result: 'miss' }, value: 0 },
      { labels: { cache: 'items', result: 'other' }, value: 1 },
    ]);
  });
});
