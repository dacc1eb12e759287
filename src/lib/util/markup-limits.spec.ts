import { exceededLimit, MOST_LEVELS, MOST_MARKS } from './markup-limits.js';

const nested = (levels: number, tag = 'div'): string => `<${tag}>`.repeat(levels);

it.each([
  ['as deep as the limit', nested(MOST_LEVELS), undefined],
  ['deeper than the limit', nested(MOST_LEVELS + 1), 'levels'],
  ['deep with closing tags of other elements', '<b></i>'.repeat(MOST_LEVELS + 1), 'levels'],
  ['deep after the first piece', `${'x'.repeat(200_000)}${nested(MOST_LEVELS + 1)}`, 'levels'],
  ['deep in drawings', nested(MOST_LEVELS + 1, 'g'), 'levels'],
  ['flat', '<div><b></b></div>'.repeat(MOST_LEVELS + 1), undefined],
  ['flat with implied ends', '<p>Words'.repeat(MOST_LEVELS + 1), undefined],
  ['flat with elements that have no end', '<br><img>'.repeat(MOST_LEVELS + 1), undefined],
  ['text', `<textarea>${nested(MOST_LEVELS + 1)}</textarea>`, undefined],
  ['as many marks as the limit', '&'.repeat(MOST_MARKS), undefined],
  ['more marks than the limit', '<'.repeat(MOST_MARKS + 1), 'marks'],
] as const)('returns the limit that a document exceeds: %s', async (_, html, limit) => {
  expect(await exceededLimit(html)).toBe(limit);
});
