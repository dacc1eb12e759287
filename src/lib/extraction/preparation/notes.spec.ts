import { extractPage } from '../extract-page.js';

const PROSE = `<p>${'The keepers mend their nets, early in the morning. '.repeat(8)}</p>`;
const URL = 'https://www.courier.example/notes';

const shown = (inner: string): string =>
  extractPage({
    html: `<title>Notes</title><article><h1>Notes</h1>${PROSE}${inner}${PROSE}</article>`,
    url: URL,
  }).articleHtml;

it.each([
  [
    'a list',
    '<p>Late.<sup id="fnref:1"><a href="#fn:1">1</a></sup></p><ol><li id="fn:1">By a flood. <a href="#fnref:1">↩</a></li></ol>',
  ],
  [
    'a paragraph',
    '<p>Late.<span class="fn"><a href="#n">1</a></span></p><p id="n">By a flood.</p>',
  ],
  [
    'an aside',
    '<p>Late.<a role="doc-noteref" href="#n">*</a></p><aside id="n" role="doc-footnote"><p>By a flood.</p></aside>',
  ],
  [
    'an old anchor',
    '<p>Late.<sup><a href="#n">1</a></sup></p><p><a name="n"></a>1. By a flood.</p>',
  ],
  [
    'a box',
    '<p>Late.<sup><a href="#n">1</a></sup></p><div id="n"><a href="#x">1</a>. By a flood.</div>',
  ],
  ['a full address', `<p>Late.<sup><a href="${URL}#n">1</a></sup></p><p id="n">By a flood.</p>`],
])('links to a note in %s within the article', (_, inner) => {
  const html = shown(inner);
  const [, id = ''] = /href="#(part-[^"]+)"[^>]*role="doc-noteref"/u.exec(html) ?? [];

  expect(html).toContain(`id="${id}"`);
  expect(html).toMatch(/role="doc-(?:endnote|footnote)"/u);
  expect(html).toContain('By a flood.');
});

it('tells a link back from a link to a note', () => {
  const html = shown(
    '<p>Late.<sup id="r"><a href="#n">1</a></sup></p><ol><li id="n">By a flood. <a href="#r">1</a></li></ol>',
  );

  expect(html).toMatch(/<a href="#part-r"[^>]*role="doc-backlink"/u);
});

it('gives each heading an id, and no other element that nothing links to', () => {
  const html = shown('<h2>At sea</h2><p id="loose">A line.</p><h2 id="at-sea">At sea</h2>');
  const ids = [...html.matchAll(/ id="([^"]+)"/gu)].map(([, id]) => id);

  expect(ids).toEqual(['part-At-sea', 'part-at-sea']);
});

it('keeps a link whose target is not in the article', () => {
  expect(shown('<p>See <a href="#gone">below</a>.</p>')).toContain(`href="${URL}#gone"`);
});

it.each([
  ['a side note', '<span class="sidenote">The thistle is old.</span>'],
  [
    'a hidden note',
    '<span class="footnote-text footnote" style="display:none">The thistle is old.</span>',
  ],
  [
    'a note in an attribute',
    '<button data-bigfoot-footnote="&lt;p&gt;The thistle is old.&lt;/p&gt;">1</button>',
  ],
])('writes %s in brackets', (_, note) => {
  expect(shown(`<p>It took in his flag.${note} And so on.</p>`)).toMatch(
    /flag\.<small> \[The thistle is old\.\] <\/small> And so on/u,
  );
});

it.each([
  ['a mark', '<h2 id="a">Ropes<a class="headerlink" href="#a">¶</a></h2>'],
  ['a hash', '<h2 id="a">Ropes <a href="#a" aria-hidden="true">#</a></h2>'],
  ['words', '<h2 id="a">Ropes<a class="hash-link" href="#a">Direct link</a></h2>'],
  ['a link around it', '<h2 id="a"><a href="#a">Ropes</a></h2>'],
])('removes %s from a heading', (_, heading) => {
  expect(shown(heading)).toMatch(/<h2 id="part-a">Ropes ?<\/h2>/u);
});
