import { readFileSync } from 'node:fs';

import { extractPage } from './extract-page.js';
import type { PageContent } from './page-content.js';

/** Extracts a page of test/fixtures/page-parts. Each page shows one way in which pages write what has a meaning. */
const extracted = (name: string): PageContent =>
  extractPage({
    html: readFileSync(`test/fixtures/page-parts/${name}.html`, 'utf8'),
    url: `https://www.courier.example/${name}`,
  });

it.each([
  ...(
    [
      ['a heading', '<h2 id="part-Why-the-lamp-moved">Why the lamp moved</h2>'],
      ['a heading after who is quoted', '<h3 id="part-Sung-at-dusk">Sung at dusk</h3>'],
      ['who is quoted', '<p>Ada Nordin, <cite>The Northern Lights</cite></p>'],
      ['a formula', '<mi>h</mi><mo>=</mo><mn>2</mn>'],
      ['a list of definitions', '<dd>The level from which heights are measured.</dd>'],
      ['a table', '<td>Ness</td><td>3.1</td>'],
    ] as const
  ).map(([what, part]) => ['class-names', what, part] as const),
  ...(
    [
      ['a film', '<iframe src="https://www.youtube.com/embed/abcdefghijk" title="The lamp at'],
      ['a late film', '<iframe src="https://player.vimeo.com/video/1234567" title="Nets at noon"'],
      ['a post', '<blockquote><p><a href="https://social.example/@keeper/112233"'],
      ['a post with text', 'href="https://bsky.app/profile/did:plc:abc/post/3k"'],
      ['a recording', '>Episode 4: Fog (open.spotify.com)</a>'],
      ['a chart', '>Ships in each month (datawrapper.dwcdn.net)</a>'],
      ['a film of a small site', 'href="https://video.example/videos/watch/9c9de5e8'],
      ['a gist', '>gist.github.com/keeper/0123456789abcdef</a>'],
      ['a pen', '<a href="https://codepen.io/keeper/pen/wXyZab"'],
      ['a map', '>The way to the pier (openstreetmap.org)</a>'],
      ['a document', 'href="https://www.courier.example/files/tides.pdf"'],
      ['a small picture', '👋'],
      ['a formula in a picture', '\\(x^2\\)'],
      ['a drawing', 'alt="The depth of the basin"'],
    ] as const
  ).map(([what, part]) => ['embeds', what, part] as const),
  ...(
    [
      ['the label of a tab', '>By engine</h2><p>Press the green switch'],
      ['what a click opens', '<p>Call the keeper on the second floor.</p></details>'],
      ['an answer', '>Which oil burns best?</h3><p>Rape oil burns longest'],
      ['the next slide', 'On Tuesday the wick was changed.'],
      ['what a search opens', 'The spare key hangs behind the clock.'],
      ['words that are not read aloud', '£4'],
    ] as const
  ).map(([what, part]) => ['hidden-parts', what, part] as const),
  ...(
    [
      ['a place in the page', '<a href="#part-neaps"'],
      ['its heading, without a mark', '<h2 id="part-neaps">Neaps</h2>'],
      ['a reference', '<sup id="part-fnref-1"><a href="#part-fn-1"'],
      ['a note', '<li id="part-fn-1" role="doc-endnote">'],
    ] as const
  ).map(([what, part]) => ['notes-and-ids', what, part] as const),
  ...(
    [
      [
        'without line numbers',
        '<pre><code class="language-python">def tide():\n    return 2</code>',
      ],
      ['with its line breaks', '$ tide --week\nMon 5.2\nTue 5.1'],
      ['of boxes as lines', '<pre>first line\n  second line</pre>'],
      ['of a list as lines', '<code class="language-rust">fn main() {\n    wake();\n}</code>'],
    ] as const
  ).map(([what, part]) => ['code', what, part] as const),
  ...(
    [
      ['the best candidate', 'src="https://www.courier.example/large.jpg"'],
      ['the real picture', 'src="https://www.courier.example/boat.jpg"'],
      ['a source', 'src="https://www.courier.example/nets-1600.webp"'],
      ['an element of AMP', 'src="https://www.courier.example/lamp.jpg"'],
      ['a background', 'src="https://www.courier.example/basin.jpg"'],
      ['a drawing', 'src="https://www.courier.example/chart.svg"'],
    ] as const
  ).map(([what, part]) => ['pictures', what, part] as const),
  ['made-by-a-script', 'the text', 'paragraph 4'] as const,
])('%s: keeps %s', (name, _what, part) => {
  expect(extracted(name).articleHtml).toContain(part);
});

it.each([
  ['embeds', /social\.example.*social\.example.*social\.example.*social\.example/su],
  ['hidden-parts', /four pounds|Printed from/u],
  ['notes-and-ids', /[#¶]<\/(?:a|h2)>/u],
  ['code', /Copy|linenos|>1\n2</u],
  ['pictures', /tiny-blur|data:image\/gif/u],
])('%s: shows nothing twice, and no part of the controls', (name, parts) => {
  expect(extracted(name).articleHtml).not.toMatch(parts);
});

it('shows no names of pictures in a font', () => {
  const prose = `<p>${'The keepers mend their nets, early in the morning. '.repeat(20)}</p>`;
  const { text } = extractPage({
    html: `<title>Nets</title><article><h1>Nets</h1>${prose}<p><span aria-hidden="true" class="x">chevron_right</span> Next to <span class="mi" aria-hidden="true">home</span> the pier.</p>${prose}</article>`,
    url: 'https://www.courier.example/nets',
  });

  expect(text).toContain('Next to the pier.');
  expect(text).not.toMatch(/chevron|home/u);
});
