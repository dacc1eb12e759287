import { quoteHtml, quoteText } from './assets/quote-text.js';

const SOURCE = { title: 'Lamps & tides', by: 'J. Doe, harbour.example', url: 'https://h.example/' };

describe('a copied quote', () => {
  it('is followed by its title, its authors and site, and its address', () => {
    expect(quoteText('“A light is a promise.”', SOURCE)).toBe(
      '“A light is a promise.”\n— Lamps & tides, J. Doe, harbour.example\nhttps://h.example/',
    );
  });

  it('leaves out what is unknown', () => {
    expect(quoteText('“so”', { title: '', by: 'h.example', url: '' })).toBe('“so”\n— h.example');
    expect(quoteText('“so”', { title: '', by: '', url: '' })).toBe('“so”');
    expect(quoteHtml('so', { title: '', by: '', url: '' })).toBe(
      '<blockquote><p>so</p></blockquote>',
    );
  });

  it('is a block quote with a link in HTML, and contains no markup of the article', () => {
    expect(quoteHtml('<b>one</b>\ntwo', SOURCE)).toBe(
      '<blockquote cite="https://h.example/"><p>&lt;b&gt;one&lt;/b&gt;<br>two</p></blockquote>' +
        '<p>— <a href="https://h.example/">Lamps &amp; tides</a>, J. Doe, harbour.example</p>',
    );
    expect(quoteHtml('q', { ...SOURCE, url: 'https://h.example/"onclick="x' })).not.toContain(
      '"onclick="',
    );
  });
});
