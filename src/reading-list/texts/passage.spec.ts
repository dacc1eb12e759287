import { PlacedWords } from './passage.js';

const shown = (text: string, ...words: string[]): string | undefined =>
  new PlacedWords(text)
    .passage(new Set(words))
    ?.map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('');

describe('a passage', () => {
  it('marks what was looked for, as it is written', () => {
    expect(shown('A Heron,\n and ÉGRETS.', 'heron', 'egrets')).toBe('A [Heron], and [ÉGRETS].');
  });

  it('is cut out between words, where most of the different words stand', () => {
    const filler = 'Nothing of it. '.repeat(40);
    const passage = shown(`heron heron ${filler} heron egret ${filler}`, 'heron', 'egret');

    expect(passage).toMatch(/^…\S.* \[heron\] \[egret\] Nothing .*\S…$/);
    expect(passage?.length).toBeLessThan(300);
  });

  it('marks pairs of characters that overlap as one place', () => {
    expect(shown('東京都の天気', '東京', '京都')).toBe('[東京][都]の天気');
  });

  it('cuts a text without spaces, and no character in two', () => {
    expect(shown('𝒜'.repeat(400), '𝒜'.repeat(200))).toBeUndefined();
    expect(shown('東𠮷'.repeat(400), '東𠮷')?.isWellFormed()).toBe(true);
  });

  it('is not there without a match', () => {
    expect(shown('A heron.', 'egret')).toBeUndefined();
    expect(shown('', 'egret')).toBeUndefined();
  });
});
