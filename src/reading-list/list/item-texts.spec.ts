import { cut } from '../../lib/util/clean-text.js';
import { givenTitle, searchText, shownTitle, titleKey, titlePhrases } from './item-texts.js';

const texts = {
  givenUrl: 'https://Example.com/A',
  givenTitle: '',
  prefersGivenTitle: false,
  resolvedUrl: '',
  resolvedTitle: '',
};

describe('the title that is shown', () => {
  it.each([
    [{}, 'https://Example.com/A'],
    [{ givenTitle: 'Given' }, 'Given'],
    [{ givenTitle: 'Given', resolvedTitle: 'Found' }, 'Found'],
    [{ givenTitle: 'Given', resolvedTitle: 'Found', prefersGivenTitle: true }, 'Given'],
    [{ resolvedTitle: 'Found', prefersGivenTitle: true }, 'Found'],
  ])('of %j is %j', (more, title) => {
    expect(shownTitle({ ...texts, ...more })).toBe(title);
  });

  it('is cut for the index that sorts by it, between code points', () => {
    expect(titleKey({ ...texts, givenTitle: 'Ä' })).toBe('a');
    expect(titleKey({ ...texts, givenTitle: `x${'😀'.repeat(600)}` })).toBe(`x${'😀'.repeat(499)}`);
  });
});

describe('the text that is searched', () => {
  it('is each title and URL once, folded, a line each', () => {
    expect(
      searchText({
        ...texts,
        givenTitle: 'Ä',
        resolvedTitle: 'ä',
        resolvedUrl: 'https://b.example/',
      }),
    ).toBe('ä\nhttps://example.com/a\nhttps://b.example/');
  });
});

describe('a title from a client', () => {
  it('is trimmed, and cut at 1,000 code points', () => {
    expect(givenTitle(' a  b ')).toBe('a  b');
    expect(givenTitle('😀'.repeat(1001))).toBe('😀'.repeat(1000));
    expect(cut('ab', 2)).toBe('ab');
  });
});

describe('the phrases of a title', () => {
  it.each([
    ['', []],
    [' — ', []],
    ['Rust', ['rust']],
    ['The Rust Book', ['the', 'the rust', 'the rust book', 'rust', 'rust book', 'book']],
    ['«C++», C# & Node.js!', ['c++', 'c++ c#', 'c++ c# node.js', 'c#', 'c# node.js', 'node.js']],
    ['ÉTÉ  été', ['été', 'été été']],
  ])('%j are %j', (title, phrases) => {
    expect(titlePhrases(title)).toEqual(phrases);
  });

  it('are few, however long it is', () => {
    const title = Array.from({ length: 500 }, (_, n) => `w${n}`).join(' ');

    expect(titlePhrases(title)).toHaveLength(40 * 3 - 3);
  });
});
