// Articles that are designed to break the files of a book.
const deep = (tag, depth, inner) => `<${tag}>`.repeat(depth) + inner + `</${tag}>`.repeat(depth);

export const HOSTILE_ARTICLES = [
  {
    html: '<p>]]&gt; &amp; &lt;!-- -- --&gt; <?php ?> <!-- x -- y --></p>',
    title: ']]> & <b> "\'',
  },
  {
    html: '<p>\u0000\u0001\u000b\ufffe\uffff lone \ud800 and \udfff</p>',
    title: '\u0007\ud800bell',
  },
  { html: '<p>A <b>b <i>c</b> d</i><div>e</p><table><div>f</table>', title: '' },
  {
    html: '<ul><p>no item</p><li value="x">one<li><ol reversed start=-3><li value=2>two</ol></ul>',
  },
  { html: '<dl><dd>first<dt>then<div><dt>in<dd>group</div></dl><dl>text</dl><dl></dl>' },
  {
    html: '<table><caption>a<caption>b</caption><tfoot><tr><td>foot</tfoot><thead><tr><th>h</thead><td>x</table>',
  },
  {
    html: '<table><tr><td colspan=0 rowspan=99999>x<td colspan=-1></table><table></table><table><tr></tr></table>',
  },
  {
    html: '<a href="http://[bad">x</a><a href="https://exa mple.com/a b?c#d#e">y</a><a href="//[::1]/%zz">z</a>',
  },
  {
    html: '<a href="http://www.323design/">a</a><a href="http://a_b.example/">b</a><a href="http://-a.example/">c</a><a href="http://a..example/">d</a><a href="http://0xc0.0.2.1/">e</a><a href="http://a.example./">f</a>',
  },
  {
    html: '<a href="javascript:x()">a</a><a href="mailto:x y@z">b</a><a href="#in">c</a><p id="in in" id=2>d',
  },
  { html: '<a href="https://a.example/"><a href="https://b.example/">nested</a><p>block</p></a>' },
  {
    html: '<ruby>漢<rt>かん</rt>字</ruby><ruby><rt>only</rt></ruby><rt>outside</rt><ruby>a<rp>(</rp><rt>b</rt></ruby>',
  },
  {
    html: '<figure><figcaption>a</figcaption><figcaption>b</figcaption><p>x</figure><figure></figure>',
  },
  {
    html: '<p dir="RTL" lang="ar">עברית <bdo dir="rtl">abc</bdo><bdo>def</bdo> <span lang="not a language">x</span></p>',
    lang: 'ar',
  },
  {
    html: '<svg><script>alert(1)</script></svg><math><mi>x</mi></math><iframe src="https://x.example"></iframe>',
  },
  {
    html: '<h1>a</h1><h6>b</h6><h3><p>block in heading</p><ul><li>x</ul></h3><hr><pre>a\n<div>b</div></pre>',
  },
  {
    html: '<dfn><dfn>twice</dfn></dfn><q><blockquote><p>x</blockquote></q><sub><sup><small><p>y</sup></sub>',
  },
  {
    html:
      deep('div', 400, 'deep') + deep('blockquote', 60, '<p>quoted') + deep('b', 300, '<p>bold'),
  },
  { html: '<p>' + 'x'.repeat(200_000) + '</p>' + '<p>short</p>'.repeat(5000) },
  {
    html: '<details><summary>more</summary><p>text</p></details><time datetime="x">now</time><wbr>a<br>b',
  },
  {
    html: '<img src="https://p.example/a.jpg" alt="\u0001&quot;&lt;"><img src="data:image/png;base64,x"><img>',
  },
  {
    html: '<video src="https://v.example/a.mp4" title="<film>"></video><audio src="ftp://x"></audio>',
  },
  { html: '   ', title: '\u202eevil\u202c' },
  { html: '', title: 'x'.repeat(5000), lang: 'zz-invalid-tag-xxxxxxxxxxxx' },
  {
    html: '<p>an author of odd letters</p>',
    authors: [
      { name: '\u0000', url: '' },
      { name: '<A & "B">', url: '' },
    ],
  },
  {
    html: '<p>date</p>',
    datePublished: new Date(8.64e15),
    url: 'http://user:pass@ex%41mple.com:99/ü?q=[]{}|\\^`',
  },
  { html: '<p>no host</p>', url: 'https://\u202e.example/', lang: 'de_AT' },
];
