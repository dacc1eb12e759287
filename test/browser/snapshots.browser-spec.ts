import type { Browser, BrowserContext, Page } from 'playwright-core';

import { violationsOf } from '../support/axe.js';
import { launchChromium } from '../support/chromium.js';
import { logIn } from '../support/reader-browser.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const RUN = 'onerror="top.hit=window.hit=1" onload="top.hit=window.hit=1"';
const IMAGE = `<img src="/x" ${RUN}>`;
/** Pages that would run a script or load something, some only after a browser has parsed them twice. */
const HOSTILE = [
  `<script>top.hit=window.hit=1</script>${IMAGE}`,
  `<svg><style><!--</style>${IMAGE}--></style></svg>`,
  `<math><mtext><table><mglyph><style><!--</style>${IMAGE}`,
  `<form><math><mtext></form><form><mglyph><style></math>${IMAGE}`,
  `<svg></p><style><a id="</style>${IMAGE}">`,
  `<noscript><p title="</noscript>${IMAGE}">`,
  `<select><style></select>${IMAGE}</style></select>`,
  `<textarea><p title="</textarea>${IMAGE}">`,
  `<title><p title="</title>${IMAGE}">`,
  `<svg><title><style><p title="</style></title>${IMAGE}">`,
  `<svg><foreignObject><iframe srcdoc='${IMAGE}'></iframe></foreignObject></svg>`,
  `<svg><use href="data:image/svg+xml;base64,PHN2ZyBpZD0neCcgb25sb2FkPSd0b3AuaGl0PTEnLz4=#x"></use></svg>`,
  `<my-card><template shadowrootmode="open">${IMAGE}<script>top.hit=window.hit=1</script></template></my-card>`,
  `<template><p title="</template>${IMAGE}"></template>${IMAGE}`,
  `<div style="background:u\\72l(https://x.example/a)">A</div><style>@\\69mport "https://x.example/b";</style>`,
  `<style>@font-face { font-family: a; src: url(https://x.example/c) } body { font-family: a }</style>Words`,
  `<link rel="stylesheet" href="https://x.example/d"><link rel="prefetch" href="https://x.example/e">`,
  `<meta http-equiv="refresh" content="0;url=https://x.example/f"><base href="https://x.example/"><img src="g">`,
  `<video poster="https://x.example/h"><source src="https://x.example/i"></video><audio src="https://x.example/j">`,
  `<input type="image" src="https://x.example/k"><body background="https://x.example/l">`,
  `<picture><source srcset="https://x.example/m"><img src="${PIXEL}"></picture>`,
  `<svg><style>\\${IMAGE}</style></svg>`,
  `<svg><textarea>${IMAGE}</textarea></svg>`,
  `<textarea><style></textarea><textarea></style>${IMAGE}</textarea>`,
  `<svg><style>@&#105;mport "https://x.example/q";*{background:&#117;rl(https://x.example/p)}</style></svg>`,
  `<style>p{--u:"https://x.example/r";background:image-set(var(--u) 1x)}</style><p>Words`,
  `<svg width="9" height="9"><rect width="9" height="9" mask='image-set("https://x.example/s" 1x)'></rect></svg>`,
  `${'<div>'.repeat(511)}<style>${IMAGE}</style><textarea>${IMAGE}</textarea>`,
  `<svg><image href="https://x.example/n"></image><feImage href="https://x.example/o"></feImage></svg>`,
];

let app: TestApp;
let browser: Browser;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** Opens a page of the reader with a logged-in user. The policies of pages are off, for axe and to test the sanitizer. */
async function reader(
  options: { colorScheme?: 'light' | 'dark' } = {},
): Promise<[BrowserContext, Page]> {
  const context = await browser.newContext({ baseURL: app.url, bypassCSP: true, ...options });
  const page = await context.newPage();
  await logIn(page, api.user);
  return [context, page];
}

async function stored(name: string, html: string): Promise<string> {
  const itemId = await api.saved(`https://example.com/${name}`, { title: `The page ${name}` });
  const { body } = await api.post('/v3/snapshot', { item_id: itemId, html }).expect(200);
  return body.snapshot_id as string;
}

it.each(['light', 'dark'] as const)(
  'has accessible pages in the %s color scheme',
  async (colorScheme) => {
    const id = await stored(
      'accessible',
      `<html lang="en"><title>A page</title><main><h1>A page</h1>`,
    );
    const [context, page] = await reader({ colorScheme });
    const found: string[] = [];
    for (const path of ['/snapshots', `/snapshots/${id}`, '/snapshots?done=snapshot-deleted']) {
      await page.goto(path);
      found.push(...(await violationsOf(page)));
    }
    await context.close();

    expect(found).toEqual([]);
  },
);

it('runs nothing and loads nothing, even in a browser that ignores its policy', async () => {
  const [context, page] = await reader();
  const ids = [];
  for (const [at, html] of HOSTILE.entries()) {
    ids.push(await stored(`hostile-${at}`, html));
  }
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  const hits: string[] = [];
  for (const [at, id] of ids.entries()) {
    const address = `/snapshots/${id}/content`;
    await page.goto(address, { waitUntil: 'load' });
    if (await page.evaluate<boolean>('window.hit === 1')) {
      hits.push(HOSTILE[at]!);
    }
    expect(page.url()).toBe(`${app.url}${address}`);
  }
  await context.close();

  expect(hits).toEqual([]);
  const others = requests.filter((url) => !/\/snapshots\/[\da-f-]{36}\/content$|^data:/.test(url));
  expect(others.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([]);
});
