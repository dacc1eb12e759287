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
