import { scanMarkup } from './scan-markup.js';

const bodyOf = (html: string): string =>
  /<body>(.*)<\/body>/su.exec(scanMarkup(html).html)?.[1] ?? 'none';

it.each([
  ['<p onclick="x()" data-react="y" class="a">t</p>', '<p class="a">t</p>'],
  ['<script>x</script>t<style>y</style>', 't'],
  ['<svg><path d="x"/><title>y</title></svg>t', 't'],
  ['<dialog><div><p>x</p></div></dialog>t', 't'],
  ['<svg><g><p>t</p>', '<p>t</p>'],
  ['<!-- x <p>y</p> -->t', 't'],
  ['<!-- never closed <p>y</p>', ''],
  ['<html><head></head><body class="x"><p>t</p></body></html>', '<p>t</p>'],
  ['<p style="display: none">t</p>', '<p hidden="">t</p>'],
  ['<p hidden="until-found">t</p>', '<p>t</p>'],
  ['<div hidden id="S:1">t</div>', '<div id="S:1">t</div>'],
  ['<template>x</template><template shadowrootmode="open">t</template>', 't'],
  ['<iframe src="a">x</iframe>t', '<iframe src="a"></iframe>t'],
  ['a\0b', 'ab'],
  ["<a href='x\"y'>t</a>", '<a href="x&quot;y">t</a>'],
  ['t</p></div>', 't'],
  [
    '<div>\n <p>a <b>b</b> <i>c</i>\n</p>\n <p>d</p>\n</div>',
    '<div><p>a <b>b</b> <i>c</i></p><p>d</p></div>',
  ],
  ['<center>a</center> <center>b</center>', '<center>a</center> <center>b</center>'],
  ['<pre>a\n<div>b</div>\n</pre>', '<pre>a\n<div>b</div>\n</pre>'],
  [
    '<math><mi>a</mi><annotation encoding="application/x-tex">a < b</annotation></math>t',
    '<span data-formula="0">\\(a &lt; b\\)</span>t',
  ],
  ['<script type="math/tex; mode=display">a^2</script>t', '\\(a^2\\)t'],
  ...(
    [
      ['<mrow><mi>a</mi> <mo>&lt;</mo> <mi>b</mi></mrow><annotation>junk</annotation>', 'a&lt;b'],
      ['<mfrac><mn>1</mn><mn>2</mn></mfrac><msup><mi>r</mi><mn>2</mn></msup>', '1/2r^2'],
      ['<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>', '(a+b)/2'],
      [
        '<mi>sin</mi><mi>x</mi><mo>=</mo><msqrt><mn>1</mn><mo>-</mo><mi>t</mi></msqrt>',
        'sin x=√(1-t)',
      ],
      [
        '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>',
        '∑_(i=1)^n',
      ],
      ['<mroot><mi>x</mi><mn>3</mn></mroot><mphantom><mi>y</mi></mphantom>', 'x^(1/3)'],
      ['<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable>', '1, 0'],
    ] as const
  ).map(([math, text]) => [
    `<p>so <math>${math}</math> t`,
    `<p>so <span data-formula="0">${text}</span> t`,
  ]),
])('%s becomes %s', (html, expected) => {
  expect(bodyOf(html)).toBe(expected);
});

it('hears what the head says', () => {
  const { facts } = scanMarkup(
    '<html lang=" de-AT"><title>a &amp; b\n c</title><base href="/x/"><meta property="OG:Title" content=" t&auml; ">' +
      '<link rel="Canonical" href="/c"><script type="application/ld+json">{"a":1}</script>' +
      '<script>x = {\\"post_date\\":\\"2024-03-09T10:00:00Z\\"}</script><title>second</title>',
  );

  expect(facts).toMatchObject({
    title: 'a & b c',
    lang: 'de-AT',
    base: '/x/',
    metas: [{ key: 'og:title', content: 'tä' }],
    links: [{ rel: 'canonical', href: '/c' }],
    jsonLd: ['{"a":1}'],
    scriptDate: '2024-03-09T10:00:00Z',
  });
});

it('is never deeper or larger than a page of this world', () => {
  const deep = bodyOf('<div>'.repeat(100_000));
  const wide = bodyOf('<b>x</b>'.repeat(60_000));

  expect(deep.trim().length).toBe('<div>'.length * 128);
  expect(wide.match(/<b>/gu)).toHaveLength(20_000);
  expect(wide.match(/x/gu)).toHaveLength(60_000);
});

it('keeps of a flood of tags the head, the text and the first thousand tags', () => {
  const { html, facts, tags } = scanMarkup(
    `<title>A flood</title>${'<b class="y">x</b><script>z</script>'.repeat(60_001)}`,
  );

  expect(facts.title).toBe('A flood');
  expect(tags).toBe(60_001);
  expect(html.match(/<b class="y">/gu)).toHaveLength(1000);
  expect(html.match(/x/gu)).toHaveLength(60_001);
  expect(html).not.toContain('z');
});

it('keeps so many brackets and references as a page has, and spaces in the place of more', () => {
  const page = scanMarkup('&amp;'.repeat(20_000));
  const flood = scanMarkup(`${'< '.repeat(100_000)}${'&amp;'.repeat(100_000)}`);

  expect(page.isFlooded).toBe(false);
  expect(page.html.match(/&/g)).toHaveLength(20_000);
  expect(flood.isFlooded).toBe(true);
  expect(flood.html.match(/[&<]/g)!.length).toBeLessThan(31_000);
});

it.each([
  ['<p>x</p>', 2],
  ['<p><img class="tex" alt="x"></p>', 10],
  ['<p><script type="math/tex">x</script></p>', 10],
  ['<p><math><annotation encoding="application/x-tex">x</annotation></math></p>', 10],
])('tells how deep the text of %s stands', (html, expected) => {
  const { textNesting } = scanMarkup(`<div>${html}</div>`);

  expect(textNesting).toBe(expected);
});

it('keeps the attributes of a page as far as 100,000 of them', () => {
  const names = 'id class href src srcset alt title rel itemprop content'.split(' ');
  const tag = `<b ${names.map((name) => `${name}="x"`).join(' ')}>x</b>`;
  const body = bodyOf(tag.repeat(11_000));

  expect(body.startsWith(tag)).toBe(true);
  expect(body.endsWith('<b>x</b>')).toBe(true);
  expect(body.split('class="x"')).toHaveLength(10_001);
});
