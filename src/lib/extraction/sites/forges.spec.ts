import { readFileSync } from 'node:fs';

import { extractPage } from '../extract-page.js';
import type { PageContent } from '../page-content.js';

const read = (name: string, url: string): PageContent =>
  extractPage({ html: readFileSync(`test/fixtures/pages/sites/${name}.html`, 'utf8'), url });
const linesOf = (page: PageContent): string[] => page.text.split('\n');
const namesOf = (page: PageContent): string[] => page.authors.map(({ name }) => name);
const pageOf = (body: string, url: string): PageContent =>
  extractPage({ html: `<html><head><title>A page</title></head><body>${body}</body></html>`, url });

describe('a page of a forge', () => {
  it('is the README of a repository', () => {
    const page = read('github-readme', 'https://github.com/netmender/knot');

    expect(linesOf(page)).toEqual([
      'knot',
      'Ties knots in plain text.',
      'Install',
      'npm install knot',
      'Wiki',
    ]);
    expect(namesOf(page)).toEqual(['netmender']);
    expect(page.articleHtml).toContain('https://github.com/netmender/knot/wiki');
  });

  it.each([
    'marketplace/actions/knot',
    'orgs/knots/discussions',
    'sponsors/ines/',
    'topics/knots/',
  ])('has no author where the name of a user does not stand: github.com/%s', (path) => {
    const page = pageOf(
      '<article class="markdown-body"><p>Knots.</p></article>',
      `https://github.com/${path}`,
    );

    expect(page).toMatchObject({ authors: [], text: 'Knots.' });
  });

  it('is an issue with its comments', () => {
    const page = read('github-issue', 'https://github.com/netmender/knot/issues/4');

    expect(page).toMatchObject({ title: 'Reef knot comes loose', publishedDay: '2024-02-03' });
    expect(namesOf(page)).toEqual(['ines']);
    expect(linesOf(page)).toEqual([
      'A reef knot comes loose when the lines differ in size.',
      'bo',
      'Use a sheet bend there.',
    ]);
  });

  it('is a discussion with its comments and their replies', () => {
    const post = (author: string, day: string, text: string, replies = ''): string =>
      `<div class="timeline-comment comment"><h3><a class="author" href="/${author}">${author}</a>
       <relative-time datetime="${day}T10:00:00Z"></relative-time></h3><table><tr>
       <td class="comment-body markdown-body js-comment-body"><p>${text}</p></td></tr></table>${replies}</div>`;
    const reply = `<div data-child-comments>${post('ines', '2024-02-05', 'That holds.')}</div>`;

    const page = pageOf(
      `<div class="gh-header"><h1><span class="js-issue-title markdown-title">Which knot?</span> <span>#12</span></h1></div>
       <div class="js-discussion">${post('ines', '2024-02-03', 'A reef knot comes loose.')}
       <div class="discussion-timeline"><h2>1 comment · 1 reply</h2>${post('bo', '2024-02-04', 'Use a sheet bend.', reply)}</div></div>`,
      'https://github.com/netmender/knot/discussions/12',
    );

    expect(page).toMatchObject({ title: 'Which knot?', publishedDay: '2024-02-03' });
    expect(namesOf(page)).toEqual(['ines']);
    expect(linesOf(page)).toEqual([
      'A reef knot comes loose.',
      'bo',
      'Use a sheet bend.',
      'ines',
      'That holds.',
    ]);
    expect(page.articleHtml).toMatch(/<blockquote>.*That holds/su);
  });

  it.each([
    ['Markdown', '<article class="markdown-body"><p>Tie it twice.</p></article>'],
    [
      'code',
      '<table class="js-file-line-container"><tr><td></td><td class="js-file-line">Tie it twice.</td></tr></table>',
    ],
  ])('is a gist of %s, with what others say of it behind', (_name, file) => {
    const comment =
      '<div class="timeline-comment"><a class="author">bo</a><div class="markdown-body js-comment-body"><p>And once more.</p></div></div>';

    expect(
      linesOf(
        pageOf(
          `<div class="file">${file}</div>${comment}`,
          'https://gist.github.com/ines/0123456789abcdef',
        ),
      ),
    ).toEqual(['Tie it twice.', 'bo', 'And once more.']);
  });

  it.each([
    [
      'Gitea',
      '<div class="repository"><div class="file-view markup markdown"><p>Knots.</p></div></div>',
    ],
    [
      'GitLab',
      '<div class="blob-viewer"><div class="file-content js-markup-content md"><p>Knots.</p></div></div>',
    ],
  ])('is a README on %s', (_name, markup) => {
    const rows = '<table><tr><td>src, the sources of it, with all that they need</td></tr></table>';

    expect(pageOf(rows + markup, 'https://forge.example/netmender/knot').text).toBe('Knots.');
  });
});
