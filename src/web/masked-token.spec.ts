import { maskToken, unmaskToken } from './masked-token.js';

const TOKEN = '0123456789abcdef'.repeat(4);

describe('a masked token', () => {
  it('is different each time and does not contain the token', () => {
    const masked = Array.from({ length: 100 }, () => maskToken(TOKEN));

    expect(new Set(masked).size).toBe(100);
    expect(masked.filter((text) => text.includes(TOKEN.slice(0, 8)))).toEqual([]);
  });

  it('contains the token for the service', () => {
    expect(unmaskToken(maskToken(TOKEN))).toBe(TOKEN);
  });

  it('is another token after a change of any byte', () => {
    const masked = maskToken(TOKEN);
    const changed = `${masked.startsWith('A') ? 'B' : 'A'}${masked.slice(1)}`;

    expect(unmaskToken(changed)).not.toBe(TOKEN);
  });
});

it.each(['', 'x', TOKEN, 'x'.repeat(85), '+'.repeat(86)])(
  'a text without a mask stays: %s',
  (text) => {
    expect(unmaskToken(text)).toBe(text);
  },
);
