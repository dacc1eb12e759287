import { clean, cut, MAX_NAME_LENGTH, VISIBLE, withoutControls } from './clean-text.js';

describe('a visible character', () => {
  it.each(['a', '\u00e9', '5', '-', '\u6f22', '\u{1f600}', ' \u200ba', '\u0627', '\u202ea'])(
    'is in %j',
    (text) => {
      expect(VISIBLE.test(text)).toBe(true);
    },
  );

  it.each([
    ['nothing', ''],
    ['space of all kinds', ' \t\n\u00a0\u2003\u3000'],
    ['controls', '\u0000\u0007\u001b\u0085'],
    ['characters of no width', '\u200b\u200c\u200d\u2060\ufeff'],
    ['directions', '\u200e\u202e\u2066\u2069'],
    ['a soft hyphen', '\u00ad'],
    ['variation selectors', '\ufe0f\u{e0100}'],
    ['fillers of Hangul and an empty pattern of Braille', '\u115f\u3164\uffa0\u2800'],
    ['a lone surrogate, and what is private', '\ud800\ue000'],
  ])('is not in %s', (_, text) => {
    expect(VISIBLE.test(text)).toBe(false);
  });
});

describe('text', () => {
  it('is kept without what PostgreSQL does not take', () => {
    expect(clean('a\u0000b\ud800c')).toBe('ab\ufffdc');
  });

  it('is cut between code points', () => {
    expect(cut('\u{1f600}'.repeat(MAX_NAME_LENGTH + 1), MAX_NAME_LENGTH)).toBe(
      '\u{1f600}'.repeat(MAX_NAME_LENGTH),
    );
  });

  it('loses controls and directions, and keeps its spaces', () => {
    expect(withoutControls('a\u0007 \u202eb\tc')).toBe('a b\tc');
  });
});
