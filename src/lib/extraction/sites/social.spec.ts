import { readFileSync } from 'node:fs';

import { extractPage } from '../extract-page.js';

const REPLY = readFileSync('test/fixtures/pages/sites/x-reply.html', 'utf8');

describe('a reply on X, as a browser shows it', () => {
  it.each([
    'https://x.com/bo/status/2',
    'https://x.com/i/status/2',
    'https://x.com/bo/status/2/photo/1',
  ])('is by who replies, and in its place among the others: %s', (url) => {
    const page = extractPage({ html: REPLY, url });

    expect(page).toMatchObject({
      title: 'Not in frost.',
      authors: [{ name: 'Bo Lind', url: 'https://x.com/bo' }],
      publishedDay: '2026-05-17',
    });
    expect(page.text.split('\n')).toEqual([
      'Ines Falk',
      'Dry wet rope before you coil it.',
      'Bo Lind',
      'Not in frost.',
      'Cato Ruud',
      'Nor in the sun.',
    ]);
  });

  it('opens the page where it stands first', () => {
    const { text, authors } = extractPage({ html: REPLY, url: 'https://x.com/ines/status/1' });

    expect(authors).toMatchObject([{ name: 'Ines Falk' }]);
    expect(text).toMatch(/^Dry wet rope/u);
  });
});

it.each(['i/status/1', 'i/web/status/1'])('invents no author of x.com/%s', (path) => {
  const { authors, text } = extractPage({
    html: '<title>X</title><meta property="og:description" content="“Wet rope is heavy.”">',
    url: `https://x.com/${path}`,
  });

  expect(authors).toEqual([]);
  expect(text).toBe('Wet rope is heavy.');
});

describe('a video of YouTube with a transcript', () => {
  const segment = (text: string): string =>
    `{"transcriptSegmentRenderer":{"startMs":"0","snippet":{"runs":[{"text":${JSON.stringify(text)}}]},"startTimeText":{"simpleText":"0:04"}}}`;
  const rendered = (text: string): string =>
    `<ytd-transcript-segment-renderer><div class="segment"><div class="segment-timestamp">0:04</div><yt-formatted-string class="segment-text">${text}</yt-formatted-string></div></ytd-transcript-segment-renderer>`;
  const SAID = ['Take two lines', 'of the same "size"', 'and lay one over the other.'];
  const video = (html: string): string =>
    extractPage({
      html: `<title>A knot</title><meta property="og:description" content="We tie a knot.">${html}`,
      url: 'https://www.youtube.com/watch?v=abcDEF12345',
    }).text;

  it.each([
    [
      'in its data',
      `<script>var ytInitialData = {"panels":[{"initialSegments":[${SAID.map(segment).join(',')}]}]};</script>`,
    ],
    ['that a browser has rendered', `<div>${SAID.map(rendered).join('')}</div>`],
  ])('%s has its lines joined below the description', (_where, html) => {
    expect(video(html).split('\n')).toEqual([
      'We tie a knot.',
      'Transcript',
      'Take two lines of the same "size" and lay one over the other.',
    ]);
  });

  it('has paragraphs that end with a sentence if there are sentences', () => {
    const lines = (end: string): string =>
      `<div>${Array.from({ length: 60 }, () => rendered(`so we pull at the line again${end}`)).join('')}</div>`;

    const [, , ...sentences] = video(lines('.')).split('\n');
    const [, , ...phrases] = video(lines('')).split('\n');

    expect(sentences.length).toBeGreaterThan(2);
    expect(sentences.every((line) => line.endsWith('.'))).toBe(true);
    expect(phrases.length).toBeGreaterThan(1);
  });
});
