import { extractPage } from '../extract-page.js';

const PROSE = `<p>${'The keepers mend their nets, early in the morning. '.repeat(8)}</p>`;
const LINES = ['def tide(hours):', '    level = 0', '    return level'];
const CODE = LINES.join('\n');

const shown = (code: string): string =>
  extractPage({
    html: `<title>Tides</title><article><h1>Tides</h1>${PROSE}${code}${PROSE}</article>`,
    url: 'https://www.courier.example/tides',
  }).articleHtml;

const wrapped = (tag: string, attributes = ''): string =>
  LINES.map((line) => `<${tag}${attributes}>${line}</${tag}>`).join('');

it.each([
  ['div', `<pre><code>${wrapped('div')}</code></pre>`],
  ['p', `<pre>${wrapped('p')}</pre>`],
  ['li', `<pre><ol>${wrapped('li')}</ol></pre>`],
  ['span with a class', `<pre>${wrapped('span', ' class="token-line"')}</pre>`],
  ['span with a style', `<pre>${wrapped('span', ' style="display:block"')}</pre>`],
  ['br', `<pre>${LINES.join('<br>')}</pre>`],
  [
    'span and a line break',
    `<pre>${LINES.map((line) => `<span class="line">${line}</span>`).join('\n')}</pre>`,
  ],
  [
    'row of a table',
    `<table class="highlight">${LINES.map((line, at) => `<tr><td class="blob-num">${String(at + 1)}</td><td class="blob-code">${line}</td></tr>`).join('')}</table>`,
  ],
  [
    'cell beside a cell of numbers',
    `<table class="rouge-table"><tr><td class="gutter"><pre>1\n2\n3</pre></td><td class="code"><pre>${CODE}</pre></td></tr></table>`,
  ],
  [
    'code with br',
    `<p><code>${LINES.join('<br>').replaceAll('    ', '&nbsp;'.repeat(4))}</code></p>`,
  ],
  ['code', `<pre>${LINES.map((line) => `<code>${line}</code>`).join('\n')}</pre>`],
])('keeps lines of code that are each a %s', (_, code) => {
  expect(shown(code)).toContain(CODE);
});

it('keeps an empty line of code, even if its element is empty', () => {
  expect(shown('<pre><div>one()</div><div></div><div>two()</div></pre>')).toContain(
    'one()\n\ntwo()',
  );
});

it.each([
  ['a button', '<pre><button>Copy</button><code>ring()</code></pre>', /Copy/u],
  ['a label', '<pre><div>python</div><code>ring()</code></pre>', />\s*python/u],
  [
    'a bar above it',
    '<div class="code-box"><div class="code-header"><span>python</span><button>Copy</button></div><pre>ring()</pre></div>',
    />\s*python|Copy/u,
  ],
  ['numbers of lines', '<pre><span class="line-number">7</span>ring()</pre>', /7/u],
])('removes %s from code', (_, code, removed) => {
  const html = shown(code);

  expect(html).toContain('ring()');
  expect(html).not.toMatch(removed);
});

it.each([
  ['the class of the code', '<pre><code class="language-python">ring()</code></pre>'],
  ['the class of a box', '<div class="highlight-python"><div><pre>ring()</pre></div></div>'],
  ['the class of the block', '<pre class="sourceCode python"><code>ring()</code></pre>'],
  ['an attribute', '<pre data-lang="python"><code>ring()</code></pre>'],
  ['a label', '<pre><div>Python</div><code>ring()</code></pre>'],
])('knows the language of code by %s', (_, code) => {
  expect(shown(code)).toContain('<pre><code class="language-python">ring()</code></pre>');
});

it('keeps the links of a text that is preformatted but no code', () => {
  expect(shown('<pre>A line\n  <a href="/mail">of a mail</a></pre>')).toContain(
    'href="https://www.courier.example/mail"',
  );
});

it('keeps a table of numbers as a table', () => {
  expect(shown('<table class="tides"><tr><td>1</td><td>4.2</td></tr></table>')).toContain('<td>');
});

it('keeps the words of code that are also the names of buttons', () => {
  const code = '<code>FROM node\n<span class="k">COPY</span> . /app</code>';

  expect(shown(`<pre>${code}</pre>`)).toContain('FROM node\nCOPY . /app');
});
