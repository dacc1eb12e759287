import { wordsOf } from './words.js';

describe('wordsOf', () => {
  it.each([
    ['Été À LA Forêt', ['ete', 'a', 'la', 'foret']],
    ['it’s 3.5 per_cent', ['it', 's', '3', '5', 'per', 'cent']],
    ['ｆｕｌｌ ﬁne', ['full', 'fine']],
    ['東京都', ['東京', '京都']],
    ['寺', ['寺']],
    ['tokyo東京tower', ['tokyo', '東京', 'tower']],
    ['हिन्दी', ['हिन्दी']],
    ['()"\u0000 — …', []],
  ])('takes %j apart', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('shortens what is too long, and splits no character', () => {
    expect(wordsOf('a'.repeat(1000))).toEqual(['a'.repeat(64)]);
    expect(wordsOf(`${'a'.repeat(63)}𝒜${'é'.repeat(80)}`)[0]?.isWellFormed()).toBe(true);
  });
});
