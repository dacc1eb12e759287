import { titlePhrases } from './title-phrases.js';

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
