import { titlesOf } from './stored-library.js';

const NONE = {
  givenUrl: 'https://example.com/',
  givenTitle: '',
  resolvedTitle: '',
  prefersGivenTitle: false,
};

describe('an exported item', () => {
  it.each([
    ['the given one', { givenTitle: 'Given', resolvedTitle: 'Found' }, 'Given'],
    ['the found one', { resolvedTitle: ` ${'é'.repeat(1001)}` }, 'é'.repeat(1000)],
    ['none where a page calls itself null', { resolvedTitle: 'null' }, ''],
  ])('keeps as the title %s', (_, titles, title) => {
    expect(titlesOf({ ...NONE, ...titles })).toMatchObject({ title });
  });

  it('is shown by its URL while there is no title', () => {
    expect(titlesOf(NONE)).toEqual({ shownTitle: NONE.givenUrl, title: '' });
  });
});
