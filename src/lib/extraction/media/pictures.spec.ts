import { extractPage } from '../extract-page.js';

const PARAGRAPH = `<p>${'The keeper reads the gauge on the bridge every four minutes, and writes it down. '.repeat(4)}</p>`;
const extracted = (html: string) =>
  extractPage({
    html: `<html><body><article><h1>On tides</h1>${PARAGRAPH}${html}${PARAGRAPH}</article></body></html>`,
    url: 'https://courier.example/tides',
  });
const BLUR = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

describe('the picture that a browser shows in the end', () => {
  it.each([
    '<img data-actualsrc="/gull.jpg">',
    '<img data-lazyload="/gull.jpg" src="/loading.gif">',
    '<img file="/gull.jpg" zoomfile="/gull.jpg">',
    '<img src="/gull-20.jpg" data-src="/gull.jpg">',
    `<img src="${BLUR}" data-echo="/gull.jpg">`,
    '<img src="/gull-150.jpg" srcset="/gull-150.jpg 150w, /gull.jpg 1800w">',
    `<img src="${BLUR}" data-bgset="/gull-9.jpg 300w, /gull.jpg 1200w">`,
    `<img data-props='{"id":1,"src":"https:\\/\\/courier.example\\/gull.jpg"}'>`,
    '<picture><source data-srcset="/gull.jpg 1x"><img alt="A gull"></picture>',
    '<amp-img src="/gull.jpg" width="800" height="600"></amp-img>',
    '<figure><div class="box"></div><noscript><img src="/gull.jpg"></noscript></figure>',
    `<p><img src="${BLUR}"><noscript><img src="/gull.jpg"></noscript></p>`,
    '<figure><div><img src="/60/gull.jpg"></div><div><noscript><img src="/gull.jpg"></noscript></div></figure>',
    '<p><noscript><img src="/gull.jpg"></noscript></p>',
    '<amp-img src="/gull-640.jpg" srcset="/gull-640.jpg 640w, /gull.jpg 1280w"><noscript><img src="/gull-640.jpg"></noscript></amp-img>',
    '<figure data-media-src="/gull.jpg"><figcaption>A gull</figcaption></figure>',
    '<figure style="background-image: url(&quot;/gull.jpg&quot;)"></figure>',
    `<div data-props='{"src":"https://courier.example/gull.jpg"}'></div>`,
  ])('%s', (html) => {
    const { images, articleHtml } = extracted(html);

    expect(images.map(({ src }) => src)).toEqual(['https://courier.example/gull.jpg']);
    expect(articleHtml.match(/<img /gu)).toHaveLength(1);
  });

  it.each([
    '<noscript><img src="/t.gif?id=1" width="1" height="1"></noscript>',
    '<div data-url="https://courier.example/gull.jpg">words</div>',
    '<img data-thumb="/gull-20.jpg">',
  ])('is missing in %s', (html) => {
    expect(extracted(html).images).toEqual([]);
  });
});

describe('a small picture in a line', () => {
  it.each([
    ['<img class="emoji" src="/1f514.png" alt="🔔" width="20" height="20">', '🔔'],
    ['<img src="https://s.w.org/images/core/emoji/15/72x72/1f514.png" alt="🔔">', '🔔'],
    ['<img src="/check.png" alt="Yes" width="16" height="16">', 'Yes'],
    ['<img src="/bell.gif" alt=":bell:" style="height: 1em">', ':bell:'],
  ])('%s is text', (html, text) => {
    expect(extracted(`<p>The bell rang ${html} twice.</p>`).text).toContain(
      `The bell rang ${text} twice.`,
    );
  });

  it.each([
    '<img src="/feed.png" alt="Feed icon" width="16" height="16">',
    '<a href="/feed"><img src="/feed.png" alt="Feed" width="16" height="16"></a>',
    '<img src="/gull.jpg" alt="Gull" width="600" height="400">',
  ])('%s is none', (html) => {
    expect(extracted(`<p>The bell rang ${html} twice.</p>`).text).toContain('The bell rang twice.');
  });
});

describe('a picture whose data is in the page', () => {
  const data = (letters: number): string => `data:image/png;base64,iVBO${'A'.repeat(letters)}`;

  it('is shown, and is not in the list of pictures', () => {
    const { images, articleHtml } = extracted(
      `<figure><img alt="A picture" src="${data(600)}"></figure>`,
    );

    expect(articleHtml).toContain(`src="${data(600)}"`);
    expect(images).toEqual([]);
  });

  it.each([
    data(60),
    data(200_000),
    `data:image/svg+xml,${'%20'.repeat(100)}`,
    `data:text/html,${'x'.repeat(400)}`,
  ])('is removed if it is a placeholder, too large or no picture', (src) => {
    expect(extracted(`<p>A <img src="${src}"> b</p>`).articleHtml).not.toContain('data:');
  });
});

describe('an inline drawing', () => {
  const drawn = (html: string): string => {
    const { articleHtml } = extracted(`<figure>${html}<figcaption>The gauge</figcaption></figure>`);
    const data = /data:image\/svg\+xml;base64,([^"]*)/u.exec(articleHtml)?.[1] ?? '';
    return Buffer.from(data, 'base64').toString();
  };

  it('is a picture with its title, without anything that could run or load', () => {
    const svg =
      '<svg viewBox="0 0 600 300" onload="alert(1)"><title>Low &nbsp; tide</title><script>alert(1)</script><a href="javascript:alert(1)"><rect/></a>' +
      '<image href="https://evil.example/x.png"/><rect width="600" style="fill:url(https://evil.example/#a)"/><linearGradient id="g"/><path d="M0" fill="url(#g)"/><foreignObject></foreignObject></svg>';

    expect(extracted(`<figure>${svg}</figure>`).articleHtml).toContain('alt="Low tide"');
    expect(drawn(svg)).toContain('<path d="M0" fill="url(#g)">');
    expect(drawn(svg)).toContain('xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 300"');
    expect(drawn(svg)).not.toMatch(/alert|evil|onload|nbsp|foreignObject/u);
  });

  it.each([
    ['groups', '<g>'.repeat(19_000)],
    ['elements in its description', `<desc>${'<g>'.repeat(19_000)}`],
  ])('is left out if it nests 19,000 %s', (_, nested) => {
    const { text, articleHtml } = extracted(
      `<figure><svg width="500" height="500"><path/><path/>${nested}</svg><figcaption>The gauge</figcaption></figure>`,
    );

    expect(text).toContain('The');
    expect(articleHtml).toContain('The gauge');
    expect(articleHtml).not.toContain('data:');
  });

  it.each([
    '<svg width="16" height="16" viewBox="0 0 512 512"><title>Feed</title><path/><path/></svg>',
    '<svg viewBox="0 0 600 300" aria-hidden="true"><title>x</title><path/><path/></svg>',
    '<svg viewBox="0 0 24 24"><title>x</title><path/><path/></svg>',
    '<a href="/"><svg viewBox="0 0 600 300"><title>Logo</title><path/><path/></svg></a>',
  ])('is no picture if it is an icon: %s', (svg) => {
    expect(drawn(svg)).toBe('');
  });
});
