import type { Response } from 'supertest';

import { type DomElement, parseDocument } from '../../src/lib/extraction/dom.js';
import type { PageVisitor } from './page-visitor.js';

export const bodyOf = ({ text }: Response): DomElement => parseDocument(text).body;

/** Returns the titles of the items that a page of the list or of the trash shows. */
export const titlesOf = (page: Response): string[] =>
  [...bodyOf(page).querySelectorAll('.items h2')].map(
    ({ textContent }) => textContent?.trim() ?? '',
  );

export const titlesAt = async (visitor: PageVisitor, path: string): Promise<string[]> =>
  titlesOf(await visitor.open(path).expect(200));

/** Returns the address of the link with this text. */
export const linkOf = (page: Response, label: string): string | undefined =>
  [...bodyOf(page).querySelectorAll('a')]
    .find(({ textContent }) => textContent?.replaceAll(/\s+/g, ' ').trim() === label)
    ?.getAttribute('href') ?? undefined;

/** Opens all pages from a path on by the links to the next page. Returns the titles on each page. */
export async function pagesFrom(
  visitor: PageVisitor,
  first: string,
): Promise<{ readonly titles: string[][]; readonly last: Response }> {
  const titles: string[][] = [];
  let page = await visitor.open(first).expect(200);
  for (let next = linkOf(page, 'Next page'); ; next = linkOf(page, 'Next page')) {
    titles.push(titlesOf(page));
    if (next === undefined) {
      return { titles, last: page };
    }
    page = await visitor.open(next).expect(200);
  }
}

/** Opens all pages up to the first one by the links to the previous page. Returns the titles on each page. */
export async function pagesBefore(visitor: PageVisitor, last: Response): Promise<string[][]> {
  const titles: string[][] = [];
  let page = last;
  for (;;) {
    titles.unshift(titlesOf(page));
    const previous = linkOf(page, 'Previous page');
    if (previous === undefined) {
      return titles;
    }
    page = await visitor.agent.get(previous).redirects(1);
  }
}
