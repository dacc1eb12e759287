import { extractPage } from '../extract-page.js';

const PROSE = `<p>${'The keepers mend their nets, early in the morning. '.repeat(8)}</p>`;

const pageOf = (inner: string): string =>
  extractPage({
    html: `<title>Nets</title><article><h1>Nets</h1>${PROSE}${inner}${PROSE}</article>`,
    url: 'https://www.courier.example/nets',
  }).articleHtml;

it.each([
  ['a heading', '<h2 class="header-anchor-post sidebar">Ropes and tar</h2>'],
  ['a heading in a box', '<div class="section-header share"><h2>Ropes and tar</h2></div>'],
  [
    'who is quoted',
    '<blockquote><p>A word.</p><footer class="author">Ropes and tar</footer></blockquote>',
  ],
  [
    'a quotation',
    '<div class="promo-share"><blockquote class="sidebar">Ropes and tar</blockquote></div>',
  ],
  [
    'a table',
    '<div class="banner"><table class="sponsor"><tr><th>A</th></tr><tr><td>Ropes and tar</td></tr></table></div>',
  ],
  [
    'code',
    '<div class="share-code"><button>Copy</button><pre class="menu"><code>Ropes and tar</code></pre></div>',
  ],
  [
    'a definition',
    '<dl class="sidebar-list"><dt class="header">Ropes and tar</dt><dd class="menu">Are old.</dd></dl>',
  ],
  [
    'a step',
    '<div><div>1. Ropes and tar <a href="/a">in the menu</a></div><div>2. Choose the torn one, and lay it on the table.</div></div>',
  ],
  [
    'a paragraph before a link',
    '<p>Ropes and tar are on the pier since the winter.<br><br><a href="/a">https://x.example/a-long-address-of-a-page</a></p>',
  ],
  [
    'the contents of a manual',
    '<div class="toc"><dl><dt><a href="ropes.html">Ropes and tar</a></dt><dt><a href="nets.html">Nets</a></dt><dt><a href="sails/index.html">Sails</a></dt></dl></div>',
  ],
  ['a notice', '<div class="alert alert-warning" role="alert"><p>Ropes and tar are wet.</p></div>'],
])('keeps %s whatever its class is', (_, inner) => {
  expect(pageOf(inner)).toContain('Ropes and tar');
});

it.each([
  [
    'a tab',
    '<ul><li role="tab">Hemp</li><li role="tab">Wire</li></ul><div><div role="tabpanel">A rope.</div><div role="tabpanel" hidden>The wire is grey.</div></div>',
    'The wire is grey.',
  ],
  [
    'text below a button',
    '<button aria-controls="rest">Read more</button><div id="rest" class="rest" style="display:none"><p>The wire is grey.</p></div>',
    'The wire is grey.',
  ],
  [
    'a slide',
    '<div><div class="slide active">The rope is brown, and old.</div><div class="slide" aria-hidden="true">The wire is grey, and new.</div></div>',
    'The wire is grey',
  ],
  [
    'a paragraph',
    '<p aria-hidden="true">The wire is grey, and no one has seen it.</p>',
    'The wire is grey',
  ],
])('shows %s that is hidden only for now', (_, inner, text) => {
  expect(pageOf(inner)).toContain(text);
});

it('writes the labels of tabs as headings', () => {
  const html = pageOf(
    '<ul><li role="tab">Hemp</li><li role="tab">Wire</li></ul><div><div role="tabpanel">A rope.</div><div role="tabpanel" hidden>A wire.</div></div>',
  );

  expect(html).toMatch(
    /<h2[^>]*>Hemp<\/h2>(?:<p>)?A rope[\s\S]*<h2[^>]*>Wire<\/h2>(?:<p>)?A wire/u,
  );
});

it.each([
  ['pre-wrap', 'The gulls sit down,\n  the lamps go out,\nthe rest is dark.'],
  ['pre', 'The gulls sit down,\n  <i>the lamps</i> go out,\r\nthe rest is dark.\n'],
  ['pre-line', '\n  The gulls sit down,\nthe lamps go out,\nthe rest is <b>dark.\n</b>'],
])('keeps the lines of a text whose style is white-space: %s', (style, verse) => {
  const html = pageOf(`<p style="color:red; white-space: ${style}">${verse}</p>`);
  const lines = html.replaceAll(/<\/?[ib]>/gu, '').split(/\s*<br \/>\s*/u);

  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/<p>\s*The gulls sit down,$/u);
  expect(lines[1]).toBe('the lamps go out,');
  expect(lines[2]).toMatch(/^the rest is dark.\s*<\/p>/u);
});

it('adds no lines to a text whose style wraps it', () => {
  expect(pageOf('<p style="white-space: normal">One\ntwo.</p>')).not.toContain('<br');
});

it('keeps a panel that is inside its own tab', () => {
  const html = pageOf(
    '<div role="tab" aria-controls="wire">Wire<div role="tabpanel" id="wire"><p>The wire is grey.</p></div></div>',
  );

  expect(html).toContain('The wire is grey.');
});

it.each([
  [
    'a copy for paper',
    '<div class="d-none d-print-block"><p>Printed from the courier on request.</p></div>',
  ],
  ['a text for screen readers', '<span class="visually-hidden">Printed from the courier</span>'],
  ['a menu', '<div class="menu" hidden><p>Printed from the courier on request.</p></div>'],
  [
    'a dialog',
    '<div role="dialog" class="panel" hidden><p>Printed from the courier on request.</p></div>',
  ],
  [
    'a copy of a slide',
    '<div><div class="slide">Printed from the pier.</div><div class="slide" aria-hidden="true">Printed from the pier.</div></div>',
  ],
])('does not show %s', (_, inner) => {
  expect(pageOf(`<p>A line.</p>${inner}`).split('Printed from').length).toBeLessThan(3);
  expect(pageOf(inner)).not.toContain('Printed from the courier');
});

it('keeps prose between the headline and the element of the article', () => {
  const { articleHtml } = extractPage({
    html: `<title>Nets</title><main><header class="entry-header"><h1>Nets</h1><p>${'The first words are in the header of the page. '.repeat(3)}</p></header><div class="entry-content">${PROSE.repeat(3)}</div></main>`,
    url: 'https://www.courier.example/nets',
  });

  expect(articleHtml).toContain('The first words are in the header');
});

it('marks tasks, and keeps the lines of a verse', () => {
  const html = pageOf(
    '<ul class="task-list"><li><input type="checkbox" checked disabled> Tar</li><li><input type="checkbox" disabled> Oil</li></ul><p><span class="line">The gulls sit down,</span><span class="line">the lamps go out.</span></p>',
  );

  expect(html).toMatch(/☑\s+Tar[\s\S]*☐\s+Oil/u);
  expect(html).toMatch(/sit down,<\/span><br \/><span>the lamps/u);
});
