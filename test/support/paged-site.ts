import { ok, type PublicHost } from './public-host.js';

type Answer = string | Buffer;

/** The path of the article. Its further pages are below it. */
export const ARTICLE = '/2024/05/the-tide-gauge-of-ness/';

export const pathOf = (page: number): string => (page === 1 ? ARTICLE : `${ARTICLE}${page}/`);

const prose = (page: number): string =>
  Array.from(
    { length: 6 },
    (_, n) =>
      `<p>Line ${n} of page ${page} says that the gauge was read by hand every morning, whatever the weather, and that the book was dry.</p>`,
  ).join('');

/** Returns the HTML of one page of an article. It links to its next page. */
export const pageOf = (
  page: number,
  link = `<a rel="next" href="${pathOf(page + 1)}">Next page</a>`,
): string =>
  `<!doctype html><html lang="en"><title>The tide gauge of Ness</title><meta property="og:type" content="article">
   <main><article><h1>The tide gauge of Ness</h1>${prose(page)}</article><nav>${link}</nav></main></html>`;

/** Answers with the pages under their paths, and with 404 for all other paths. Undefined leaves a request open. */
export function servePages(
  host: PublicHost,
  answers: Readonly<Record<string, Answer | undefined>>,
): void {
  host.speak((socket, head) => {
    const path = head.split(' ')[1] ?? '';
    if (!(path in answers)) {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const answer = answers[path];
    if (answer !== undefined) {
      socket.end(typeof answer === 'string' && answer.startsWith('<') ? ok(answer) : answer);
    }
  });
}

/** Returns the answers for pages of an article. The last of them links to no further page. */
export const articleOf = (pages: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: pages }, (_, n) => n + 1).map((page) => [
      pathOf(page),
      page === pages ? pageOf(page, `<a href="${ARTICLE}">1</a>`) : pageOf(page),
    ]),
  );

export const requestedPaths = ({ heads }: PublicHost): string[] =>
  heads.map((head) => head.split(' ')[1] ?? '');
