import { extractPage } from '../extract-page.js';

const PARAGRAPH = `<p>${'The keeper reads the gauge on the bridge every four minutes, and writes it down. '.repeat(4)}</p>`;
const extracted = (html: string) =>
  extractPage({
    html: `<html><body><article><h1>On tides</h1>${PARAGRAPH}${html}${PARAGRAPH}</article></body></html>`,
    url: 'https://courier.example/tides',
  });

const katexList = (...rows: string[]): string =>
  `<span class="vlist-r"><span class="vlist">${rows
    .map((row) => `<span style="top:-3em"><span class="pstrut"></span>${row}</span>`)
    .join('')}</span></span>`;
const part = (text: string): string => `<span class="mord">${text}</span>`;

describe('a formula', () => {
  it.each([
    [
      'KaTeX with MathML',
      '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">junk</span></span>',
      '\\(x_1\\)',
      '<math alttext="x_1"><mrow><mi>x</mi></mrow></math>',
    ],
    [
      'KaTeX without MathML',
      `<span class="katex"><span class="katex-html" aria-hidden="true"><span class="base">${part('x')}<span class="msupsub"><span class="vlist-t">${katexList(part('2'))}</span></span><span class="mrel">=</span><span class="mord"><span class="mfrac"><span class="vlist-t vlist-t2">${katexList(part('below'), '<span class="frac-line"></span>', part('above'))}</span></span></span></span></span></span>`,
      'x^2=above/below',
      '<msup><mi>x</mi><mrow><mn>2</mn></mrow></msup>',
    ],
    [
      'a matrix of KaTeX without MathML',
      `<span class="katex"><span class="katex-html" aria-hidden="true"><span class="mord"><span class="mtable"><span class="col-align-c"><span class="vlist-t">${katexList(part('a'), part('c'))}</span></span><span class="arraycolsep"></span><span class="col-align-c"><span class="vlist-t">${katexList(part('b'), '')}</span></span></span></span></span></span>`,
      'a, b; c,',
      '<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd></mtd></mtr></mtable>',
    ],
    [
      'a cube root of KaTeX without MathML',
      `<span class="katex"><span class="katex-html" aria-hidden="true"><span class="mord sqrt"><span class="root"><span class="vlist-t">${katexList(part('3'))}</span></span><span class="vlist-t">${katexList(part('x'), '<span class="hide-tail"></span>')}</span></span></span></span>`,
      'x^(1/3)',
      '<mroot><mrow><mrow><mi>x</mi></mrow></mrow><mrow><mn>3</mn></mrow></mroot>',
    ],
    [
      'MathJax 2',
      '<span class="MathJax_Preview"></span><span class="MathJax">drawn</span><script type="math/tex">z_1</script>',
      '\\(z_1\\)',
      '\\(z_1\\)',
    ],
    [
      'MathJax 3 in a saved page',
      '<mjx-container class="MathJax CtxtMenu_Attached_0" jax="CHTML"><mjx-math aria-hidden="true"><mjx-mi><mjx-c class="mjx-c1D466"></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml><math><mi>y</mi><mo>&lt;</mo><mn>3</mn></math></mjx-assistive-mml></mjx-container>',
      'y<3',
      '<math alttext="y&lt;3"><mi>y</mi><mo>&lt;</mo><mn>3</mn></math>',
    ],
    [
      'MathJax 4',
      '<mjx-container jax="CHTML"><mjx-math data-latex="x^2"><mjx-msup><mjx-mi><mjx-c class="mjx-c1D465"></mjx-c></mjx-mi><mjx-script><mjx-mn><mjx-c class="mjx-c32"></mjx-c></mjx-mn></mjx-script></mjx-msup></mjx-math></mjx-container>',
      '\\(x^2\\)',
      '<math alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math>',
    ],
    [
      'MathJax that draws with SVG',
      '<mjx-container jax="SVG"><svg viewBox="0 0 900 300"><g data-mml-node="math"><g data-mml-node="mfrac"><g data-mml-node="mi"><use data-c="1D44E"></use></g><g data-mml-node="mn"><path data-c="32"></path></g></g></g></svg></mjx-container>',
      'a/2',
      '<mfrac><mi>a</mi><mn>2</mn></mfrac>',
    ],
    [
      'MathML of LaTeXML',
      '<math alttext="\\frac{a}{b}" display="block"><mfrac onclick="x()"><mi>a</mi><mi href="x" mathvariant="normal">b</mi></mfrac></math>',
      '\\(\\frac{a}{b}\\)',
      '<math display="block" alttext="\\frac{a}{b}"><mfrac><mi>a</mi><mi mathvariant="normal">b</mi></mfrac></math>',
    ],
    [
      'a picture of WordPress',
      '<img src="https://s0.wp.com/latex.php?latex=e%5Ex&bg=fff" alt="e^x" class="latex">',
      '\\(e^x\\)',
      '\\(e^x\\)',
    ],
    [
      'a picture without alternative text',
      '<img src="https://latex.codecogs.com/svg.latex?a%5E2">',
      '\\(a^2\\)',
      '\\(a^2\\)',
    ],
    ['an attribute', '<span data-tex="\\alpha">drawn</span>', '\\(\\alpha\\)', '\\(\\alpha\\)'],
    [
      'AMP',
      '<amp-mathml data-formula="\\[x \\over y\\]"></amp-mathml>',
      '\\(x \\over y\\)',
      '\\(x \\over y\\)',
    ],
    ['an element of distill', '<d-math>y^2</d-math>', '\\(y^2\\)', '\\(y^2\\)'],
  ])('of %s is in the text and in the article', (_, html, text, shown) => {
    const page = extracted(`<p>The height is ${html} for any two tides.</p>`);

    expect(page.text).toContain(`The height is ${text} for any two tides.`);
    expect(page.articleHtml).toContain(shown);
    expect(page.articleHtml).not.toMatch(/junk|drawn|onclick|data-formula/u);
  });

  it('of a spreadsheet is a number', () => {
    expect(
      extracted('<p>The sum is <span data-formula="=SUM(A1:B2)">12</span>.</p>').text,
    ).toContain('The sum is 12.');
  });

  it.each([
    ['100 rows', '<math>', '<mrow>', '<mi>depth</mi>'],
    ['30,000 rows', '<math>', '<mrow>'.repeat(300), '<mi>depth</mi>'],
    ['a token of 60,000 elements', '<math><mi>', '<b>'.repeat(600), 'depth'],
    [
      'TeX in 60,000 elements',
      '<math><annotation encoding="application/x-tex">',
      '<b>'.repeat(600),
      'depth',
    ],
    [
      'a drawing of KaTeX with 200 elements',
      '<span class="katex"><span class="katex-html">',
      '<b>'.repeat(2),
      'depth',
    ],
    ['a drawing of MathJax with 200 elements', '<mjx-container>', '<mjx-mrow>'.repeat(2), 'depth'],
  ])('that nests %s keeps its text', (_, start, nested, inner) => {
    const { text } = extracted(
      `<p>The formula is ${start}${nested.repeat(100)}${inner}</math></p>`,
    );

    expect(text).toContain('depth');
    expect(text).toContain('The keeper reads the gauge');
  });

  it('separates the names in a long line', () => {
    expect(
      extracted('<p>So <math><mn>2</mn><mi>sin</mi><mi>x</mi><mi>cos</mi><mn>7</mn></math>.</p>')
        .text,
    ).toContain('So 2 sin x cos 7.');
  });

  it('runs no scripts', () => {
    const { articleHtml } = extracted(
      '<p>So <math><mtext><img src="x" onerror="alert(1)"><script>alert(1)</script></mtext><annotation-xml encoding="text/html"><b onclick="alert(1)">x</b></annotation-xml><maction actiontype="statusline#http://evil.example"><mi>q</mi></maction></math>.</p>',
    );

    expect(articleHtml).toContain('<mi>q</mi>');
    expect(articleHtml).not.toMatch(/onerror|onclick|evil|<img|<script|maction/u);
  });
});
