import { withPlaceholders } from './media-placeholders.js';

const media = {
  images: new Map([
    ['https://a.example/1.jpg', 1],
    ['https://a.example/2.jpg?x=1&y=2', 2],
  ]),
  videos: new Map([['https://www.youtube.com/embed/x', 1]]),
};
const FIRST = '<img src="https://a.example/1.jpg" alt="a > b" />';
const SECOND = '<img alt="" src="https://a.example/2.jpg?x=1&amp;y=2">';

const marked = (html: string): string => withPlaceholders(html, media, 'comment');

describe('the marks of an article', () => {
  it.each([
    [`<p>a${FIRST}b</p>${SECOND}`, '<p>a<!--IMG_1-->b</p><!--IMG_2-->'],
    [`${FIRST}${FIRST}`, '<!--IMG_1--><!--IMG_1-->'],
    [`${FIRST}<img src="https://a.example/counter.gif">é`, '<!--IMG_1-->é'],
    [`<p>text</p>${SECOND}`, '<!--IMG_1--><p>text</p><!--IMG_2-->'],
    [`${FIRST}<img>`, '<!--IMG_1-->'],
    [
      `${FIRST}<iframe src="https://www.youtube.com/embed/x" allowfullscreen></iframe>after`,
      '<!--IMG_1--><!--VID_1-->after',
    ],
    [
      `${FIRST}<video controls><source src="https://www.youtube.com/embed/x" />no video</video>.`,
      '<!--IMG_1--><!--VID_1-->.',
    ],
    [`${FIRST}<video src="https://other.example/v"></video>.`, '<!--IMG_1-->.'],
    [
      `${FIRST}&lt;img src="https://a.example/1.jpg"&gt;`,
      '<!--IMG_1-->&lt;img src="https://a.example/1.jpg"&gt;',
    ],
  ])('stand where the media stood: %s', (html, expected) => {
    expect(marked(html)).toBe(expected);
  });

  it('are elements, if these are wanted', () => {
    const html = `${FIRST}<iframe src="https://www.youtube.com/embed/x"></iframe>`;

    expect(withPlaceholders(html, media, 'div')).toBe(
      '<div id="RIL_IMG_1" class="RIL_IMG"></div><div id="RIL_VID_1" class="RIL_VID"></div>',
    );
  });

  it('are none where there are no media', () => {
    const none = { images: new Map<string, number>(), videos: new Map<string, number>() };

    expect(withPlaceholders('<p>text</p>', none, 'comment')).toBe('<p>text</p>');
  });
});
