import { parseTagName, parseTagNames, splitTags, tagId } from './tag-name.js';

const family = '👨‍👩‍👧‍👦';

describe('the name of a tag', () => {
  it.each([
    ['a', 'a', 'a'],
    ['  To  Read\n later ', 'To Read later', 'to read later'],
    ['\u00a0x\u00a0\u2003y\ufeff', 'x y', 'x y'],
    ['A\u030a', 'Å', 'å'],
    [family, family, family],
    ['a\u200bb', 'a\u200bb', 'a\u200bb'],
    ['\u202eabc', 'abc', 'abc'],
    ['a\u2068b\u2069\u001bc', 'abc', 'abc'],
    ['__proto__', '__proto__', '__proto__'],
    ['ΟΔΟΣ', 'ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδος', 'οδοσ'],
    ['"\\{}', '"\\{}', '"\\{}'],
    ['x'.repeat(100), 'x'.repeat(100), 'x'.repeat(100)],
    ['😀'.repeat(100), '😀'.repeat(100), '😀'.repeat(100)],
  ])('%j is shown as %j and compared as %j', (text, name, key) => {
    expect(parseTagName(text)).toEqual({ name, key, id: tagId(key) });
  });

  it.each([
    '',
    ' \n',
    '\u200b',
    '\ufeff\u00ad\u2060',
    '\ufe0f',
    '\u0007',
    '\u202e\u2066',
    'a,b',
    '_untagged_',
    ' _UNTAGGED_ ',
    'x'.repeat(101),
    '😀'.repeat(101),
    'x'.repeat(3000),
  ])('is never %j', (text) => {
    expect(parseTagName(text)).toBeUndefined();
  });

  it('has a positive id of 63 bits', () => {
    expect(tagId('a')).toBe('7299139317422481125');
    for (let n = 0; n < 1000; n += 1) {
      expect(BigInt(tagId(String(n))) >= 0n && BigInt(tagId(String(n))) < 2n ** 63n).toBe(true);
    }
  });
});

describe('a list of tags', () => {
  const names = (texts: readonly string[]) => parseTagNames(texts)?.map(({ name }) => name);

  it('has each tag once, as first written', () => {
    expect(names(splitTags('a,a,A,a , B,b'))).toEqual(['a', 'B']);
  });

  it('skips what is blank', () => {
    expect(names(splitTags(',a,, ,b,'))).toEqual(['a', 'b']);
    expect(names(splitTags(''))).toEqual([]);
  });

  it.each([[1000, ['a']] as const, [1001, undefined] as const])(
    'may have %d names: %j',
    (count, read) => {
      expect(names(Array.from({ length: count }, () => 'a'))).toEqual(read);
      expect(names(splitTags(Array.from({ length: count }, () => 'a').join(',')))).toEqual(read);
    },
  );

  it('is spoilt by one that is no tag', () => {
    expect(names(['a', 'b,c'])).toBeUndefined();
    expect(names(['a', '\u200b'])).toBeUndefined();
  });
});
