import { wordCount } from './word-count.js';

it.each([
  ['', 0],
  ['  \n ', 0],
  ['one', 1],
  ["It's one, two… three!", 4],
  ['The year 2024 was 3.5 % longer', 7],
  ['naïve Straße перевод', 3],
  ['漢字', 1],
  ['今日は良い天気ですね', 5],
  ['สวัสดีชาวโลก', 2],
  ['React を学ぶ 2024', 4],
  ['한국어 문장입니다', 2],
])('%j has %d words', (text, words) => {
  expect(Math.abs(wordCount(text) - words)).toBeLessThanOrEqual(/[ぁ-んก-๙]/u.test(text) ? 1 : 0);
});

it('estimates the rest of a book without spaces', () => {
  const page = '今日は良い天気ですね。';

  const count = wordCount(page.repeat(30_000));

  expect(Math.abs(count / (wordCount(page) * 30_000) - 1)).toBeLessThan(0.1);
});

it('has all words of a long text', () => {
  const sentence = "It's a tide of the harbour, and its ships. ";

  expect(wordCount(sentence.repeat(20_000))).toBe(9 * 20_000);
});
