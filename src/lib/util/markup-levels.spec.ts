import { isNestedTooDeep, MOST_LEVELS } from './markup-levels.js';

const nested = (levels: number, tag = 'div'): string => `<${tag}>`.repeat(levels);

it.each([
  ['as deep as the limit', nested(MOST_LEVELS), false],
  ['deeper than the limit', nested(MOST_LEVELS + 1), true],
  ['deep with closing tags of other elements', '<b></i>'.repeat(MOST_LEVELS + 1), true],
  ['deep after the first piece', `${'x'.repeat(200_000)}${nested(MOST_LEVELS + 1)}`, true],
  ['deep in drawings', nested(MOST_LEVELS + 1, 'g'), true],
  ['flat', '<div><b></b></div>'.repeat(MOST_LEVELS + 1), false],
  ['flat with implied ends', '<p>Words'.repeat(MOST_LEVELS + 1), false],
  ['flat with elements that have no end', '<br><img>'.repeat(MOST_LEVELS + 1), false],
  ['text', `<textarea>${nested(MOST_LEVELS + 1)}</textarea>`, false],
])('finds out if a document is nested too deep: %s', async (_, html, isTooDeep) => {
  expect(await isNestedTooDeep(html)).toBe(isTooDeep);
});
