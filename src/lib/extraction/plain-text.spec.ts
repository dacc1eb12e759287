import { plain } from './plain-text.js';

describe('the text of a page without markup', () => {
  it.each([
    [' a\0b \t\n c ', 'a b c'],
    ['\u202ea\u202c \u2066 \u2069b', 'a b'],
    ['', undefined],
    ['\u0001\u0002\u009f', undefined],
    ['\u200b\u202e \ufeff', undefined],
    [' \n ', undefined],
    ['\ud800x', '\ufffdx'],
    ['one two three four', 'one two…'],
    ['abcdefghijklmnop', 'abcdefghi…'],
    ['12345678😀 and', '12345678…'],
  ])('are plain and short: %j', (text, words) => {
    expect(plain(text, 10)).toBe(words);
  });
});
