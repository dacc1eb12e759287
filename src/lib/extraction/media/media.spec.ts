import { processorSeconds } from '../../../../test/support/processor-time.js';
import { parseDocument } from '../dom.js';
import { imagesOf } from './images.js';
import { seconds, videosOf } from './videos.js';

const BASE = 'https://courier.example/stories/one';
const bodyOf = (html: string) => parseDocument(`<html><body>${html}</body></html>`).body;

describe('pictures', () => {
  it.each([
    ['<img src="a.jpg">', 'https://courier.example/stories/a.jpg'],
    ['<img src="data:image/gif;base64,R0" data-src="/b.jpg">', 'https://courier.example/b.jpg'],
    ['<img src="/img/placeholder.png" data-original="/c.png">', 'https://courier.example/c.png'],
    ['<img srcset="/s.jpg 300w, /l.jpg 1200w, /m.jpg 600w">', 'https://courier.example/l.jpg'],
    ['<img data-srcset="/1.jpg 1x, /2.jpg 2x">', 'https://courier.example/2.jpg'],
    [
      '<img srcset="/w_3,h_2/s.jpg 300w,/w_9,h_6/l.jpg 900w">',
      'https://courier.example/w_9,h_6/l.jpg',
    ],
    ['<img srcset=" , /s.jpg, /l.jpg 900w 600h ,">', 'https://courier.example/l.jpg'],
    ['<img srcset="java\nscript:alert(1) 2x, /s.jpg">', 'https://courier.example/s.jpg'],
    ['<img srcset="/one.jpg">', 'https://courier.example/one.jpg'],
    ['<img src="/a.jpg" srcset="/b.jpg 2x">', 'https://courier.example/a.jpg'],
    [
      '<picture><source srcset="/p.webp 1x"><img alt=""></picture>',
      'https://courier.example/p.webp',
    ],
    ['<img src="//cdn.example/d.jpg">', 'https://cdn.example/d.jpg'],
  ])('%s', (html, src) => {
    expect(imagesOf(bodyOf(html), BASE).map((image) => image.src)).toEqual([src]);
  });

  it.each([
    '<img src="/pixel.gif" width="1" height="1">',
    '<img src="https://b.scorecardresearch.com/b?c1=2">',
    '<img src="/a/avatar/12.jpg">',
    '<img class="wp-smiley" src="/s.png">',
    '<img src="/icon.png" width="16" height="16">',
    '<img src="javascript:alert(1)">',
    '<img src="/img/logo.png">',
    '<img src="/img/logo-320x80.png">',
    '<img src="/img/site-logo.svg">',
    '<img src="/img/counter.php?page=2">',
    '<img src="https://pixel.stats.example/g.jpg">',
    '<img>',
  ])('%s is none', (html) => {
    expect(imagesOf(bodyOf(html), BASE)).toEqual([]);
  });

  it.each([
    '/pixel-9-review.jpg',
    '/icons-of-the-sea.jpg',
    '/logo-lamp.jpg',
    '/share/photo.jpg',
    '/beacon-hill.jpg',
    '/empty-nest.jpg',
    '/loading-dock.jpg',
    '/img/count.the.gulls.jpg',
  ])('%s is one, whatever a word of its name', (src) => {
    expect(imagesOf(bodyOf(`<img src="${src}">`), BASE)).toHaveLength(1);
  });

  it.each([
    '/img/blank.gif',
    '/img/placeholder-1x1.png',
    '/img/lazy_placeholder_320x200.gif',
    '/img/image-placeholder.png',
  ])('%s stands in for one', (src) => {
    const images = imagesOf(bodyOf(`<img src="${src}" data-src="/gull.jpg">`), BASE);

    expect(images.map((image) => image.src)).toEqual(['https://courier.example/gull.jpg']);
  });

  it.each([
    ['<figcaption>The pier. Photo: Marit Holm</figcaption>', 'Marit Holm'],
    ['<figcaption>The pier <span class="credit">Marit Holm</span></figcaption>', 'Marit Holm'],
    ['<figcaption>The pier © Marit Holm</figcaption>', 'Marit Holm'],
    ['<figcaption>The pier at night</figcaption>', ''],
  ])('has the credit of %s', (caption, credit) => {
    const [image] = imagesOf(bodyOf(`<figure><a><img src="/a.jpg"></a>${caption}</figure>`), BASE);

    expect(image).toMatchObject({
      credit,
      caption: expect.stringMatching(/^The pier/u),
      position: 1,
    });
  });

  it('has each picture once, in order', () => {
    const images = imagesOf(bodyOf('<img src="/a.jpg"><img src="/b.jpg"><img src="/a.jpg">'), BASE);

    expect(images.map(({ src, position }) => [src.at(-5), position])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });
});

it('takes no longer for figures in figures than they have elements', async () => {
  const frames = Array.from(
    { length: 115 },
    (_, at) => `<div class="media"><img src="/gull-${at}.jpg">`,
  ).join('');
  const end = '</div>'.repeat(114);
  const body = bodyOf(
    `${frames}</div>${'<b>words</b>'.repeat(18_000)}<figcaption>Gulls</figcaption>${end}`,
  );

  let images: ReturnType<typeof imagesOf> = [];
  const spent = await processorSeconds(() => {
    images = imagesOf(body, BASE);
  });

  expect(spent).toBeLessThan(2);
  expect(images.map(({ caption }) => caption)).toEqual([...Array<string>(114).fill('Gulls'), '']);
});

it('takes no longer for a long srcset, or for a figure of thousands of pictures, than they have letters', async () => {
  const set = `${'a'.repeat(200_000)} ${','.repeat(200_000)} ${' '.repeat(200_000)}y`;
  const pictures = Array.from({ length: 1_900 }, (_, at) => `<img src="/gull-${at}.jpg">`).join('');
  const words = '<b>words</b>'.repeat(5_000);
  const body = bodyOf(
    `<img srcset="${set}"><figure>${pictures}${words}<figcaption>Gulls</figcaption></figure>`,
  );

  expect(await processorSeconds(() => imagesOf(body, BASE))).toBeLessThan(1);
  expect(imagesOf(body, BASE)).toHaveLength(200);
});

describe('videos', () => {
  it.each([
    ['<iframe data-src="https://player.vimeo.com/video/123456"></iframe>', 4, '123456'],
    ['<video src="/v.mp4" width="640" height="360"></video>', 5, ''],
    ['<video><source src="/v.webm"></video>', 5, ''],
    ['<object><param name="movie" value="/old.swf"></object>', 6, ''],
    ['<embed src="http://www.youtube.com/v/abcDEF12345">', 1, 'abcDEF12345'],
    ['<lite-youtube videoid="abcDEF12345"></lite-youtube>', 1, 'abcDEF12345'],
    ['<video-js data-account="99" data-video-id="6001"></video-js>', 8, '6001'],
  ])('%s', (html, type, vid) => {
    expect(videosOf(bodyOf(html), BASE)).toEqual([
      expect.objectContaining({ type, vid, position: 1 }),
    ]);
  });

  it('are those of the page, not of what it recommends', () => {
    const frame = '<iframe src="https://www.youtube.com/embed/abcDEF12345"></iframe>';

    expect(
      videosOf(bodyOf(`<aside>${frame}</aside><div class="related">${frame}</div>`), BASE),
    ).toEqual([]);
    expect(videosOf(bodyOf(`<main>${frame}${frame}</main>`), BASE)).toHaveLength(1);
    expect(videosOf(bodyOf('<iframe src="https://ads.example/banner"></iframe>'), BASE)).toEqual(
      [],
    );
  });

  it.each([
    ['PT1H2M3S', 3723],
    ['P1DT1S', 86401],
    ['PT90S', 90],
    ['125', 125],
    ['', 0],
    ['soon', 0],
    [`PT${'9'.repeat(400)}S`, 0],
  ])('%s lasts %d seconds', (text, length) => {
    expect(seconds(text)).toBe(length);
  });
});
