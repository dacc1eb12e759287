import { textQueryOf } from './text-query.js';

const word = (...words: string[]) => ({ words, isExcluded: false });
const without = (...words: string[]) => ({ words, isExcluded: true });

describe('textQueryOf', () => {
  it.each([
    ['old shoes', [[word('old'), word('shoes')]]],
    ['"New York" city', [[word('new', 'york'), word('city')]]],
    ['“New York”', [[word('new', 'york')]]],
    ['"never closed', [[word('never', 'closed')]]],
    ['york -bridge -"new york"', [[word('york'), without('bridge'), without('new', 'york')]]],
    ['-alone', [[without('alone')]]],
    ['well-known', [[word('well', 'known')]]],
    ['cats OR dogs or', [[word('cats')], [word('dogs')]]],
    ['"or"', [[word('or')]]],
    ['or or or', []],
    ['- "" () \u0000', []],
    ['"'.repeat(256), []],
  ])('reads %j', (text, query) => {
    expect(textQueryOf(text)).toEqual(query);
  });
});
