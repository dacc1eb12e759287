import { dispositionOf, epubName, plainTitle } from './file-name.js';

describe('plainTitle', () => {
  it.each([
    ['Ünder “quotes”: a/b', 'Under quotes a b'],
    ['L’été à Łódź – Straße, Ærø', "L'ete a Lodz Strasse AEro"],
    ['ﬁve ½', 'five 1 2'],
    ["it's - 42", "it's - 42"],
  ])('writes %s as %s', (title, name) => {
    expect(plainTitle(title)).toBe(name);
  });

  it.each(['Привет, мир', 'Wort и слово', '日本語', '😀', '', '\ud800'])(
    'has none for %j',
    (title) => {
      expect(plainTitle(title)).toBeUndefined();
    },
  );
});

describe('the name of a book', () => {
  it('is told in plain letters alone where these are all', () => {
    expect(dispositionOf(epubName('One: two', 'article-7'))).toBe(
      'attachment; filename="One two.epub"',
    );
  });

  it('is told in its own letters as well', () => {
    expect(dispositionOf(epubName('Flüsse', 'article-7'))).toBe(
      `attachment; filename="Flusse.epub"; filename*=UTF-8''Fl%C3%BCsse.epub`,
    );
    expect(dispositionOf(epubName("Привет (it's)", 'article-7'))).toBe(
      `attachment; filename="article-7.epub"; filename*=UTF-8''%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82%20it%27s.epub`,
    );
  });

  it('has no half of a letter, and is no empty one', () => {
    expect(epubName('😀', 'articles')).toEqual({ full: 'articles.epub', plain: 'articles.epub' });
    expect(epubName(`${'a'.repeat(79)}𐐷`, 'articles').full).toBe(`${'a'.repeat(79)}�.epub`);
  });
});
