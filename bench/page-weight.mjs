// Measures the list and an article in Chromium: bytes on the wire, requests, Largest Contentful Paint and layout shift
// on a slow connection, with an empty and a filled cache. Also prints size and time of each level of compression.
// Uses its own embedded database.
//   npm run bench -- page-weight [--json FILE]
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { chromium } from 'playwright-core';

import { ARTICLES } from '../scripts/screenshots/articles.mjs';
import { serviceStarted } from '../scripts/screenshots/service.mjs';
import { siteServed } from '../scripts/screenshots/site.mjs';
import { headlines } from '../test/support/headlines.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';

const { values: given } = parseArgs({ options: JSON_OPTION });
const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };
const RUNS = 5;
const SLOW_4G = { downloadThroughput: 180_000, uploadThroughput: 84_375 };
/** Lighthouse assumes a round trip of 150 ms. The preset of the developer tools delays each request by 562 ms. */
const CONDITIONS = {
  'slow 4G, 150 ms': { offline: false, latency: 150, ...SLOW_4G },
  'slow 4G, 562 ms': { offline: false, latency: 562.5, ...SLOW_4G },
};
const OBSERVE = `
  globalThis.seen = { lcp: 0, shift: 0 };
  new PerformanceObserver((list) => { seen.lcp = list.getEntries().at(-1).startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) seen.shift += hadRecentInput ? 0 : value;
  }).observe({ type: 'layout-shift', buffered: true });`;

const rows = [];

async function registered(page, url) {
  await page.goto(`${url}/auth/register`);
  await page.getByLabel('Name').fill(ADA.name);
  await page.getByLabel('Email address').fill(ADA.email);
  await page.getByLabel('Password').fill(ADA.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(/\/list/);
}

/** Saves 40 items, the last of which are articles. Returns the path of an article. */
async function saved(page, url, port) {
  const articles = ARTICLES.map(({ host, path, title, tags }) => ({
    ...{ url: `http://${host}:${port}${path}`, title, tags },
  }));
  for (const item of [...headlines(40 - articles.length), ...articles]) {
    await page.goto(`${url}/save?${new URLSearchParams(item)}`);
    await page.getByRole('heading', { name: 'Saved' }).waitFor();
  }
  await page.goto(`${url}/list`);
  const link = page.getByRole('link', { name: ARTICLES.at(-1).title });
  const path = new URL(await link.getAttribute('href'), url).pathname;
  for (let tries = 0; tries < 300; tries += 1) {
    await page.goto(`${url}${path}`);
    if ((await page.locator('#article-text').count()) > 0) return path;
    await page.waitForTimeout(200);
  }
  throw new Error('the article was not read');
}

/** Opens a page and returns its figures. */
async function visited(page, session, address) {
  let bytes = 0;
  let requests = 0;
  const count = ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += encodedDataLength > 0 ? 1 : 0;
  };
  session.on('Network.loadingFinished', count);
  await page.goto(address, { waitUntil: 'networkidle' });
  session.off('Network.loadingFinished', count);
  return { bytes, requests, ...(await page.evaluate('seen')) };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Visits a page with an empty cache, and then again. */
async function pair(browser, state, address, conditions) {
  const context = await browser.newContext({ storageState: state, serviceWorkers: 'block' });
  await context.addInitScript(OBSERVE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', conditions);
  const first = await visited(page, session, address);
  const second = await visited(page, session, address);
  await context.close();
  return { first, second };
}

async function tell(browser, state, name, address) {
  for (const [condition, conditions] of Object.entries(CONDITIONS)) {
    const pairs = [];
    for (let run = 0; run < RUNS; run += 1) {
      pairs.push(await pair(browser, state, address, conditions));
    }
    for (const visit of ['first', 'second']) {
      const of = (key) => median(pairs.map((one) => one[visit][key]));
      const row = { page: name, condition, visit, lcp: of('lcp'), shift: of('shift') };
      rows.push({ ...row, bytes: of('bytes'), requests: of('requests') });
    }
  }
}

/** Compresses a page at each level, and prints the size and the processor time. */
async function tellLevels(context, address) {
  const html = Buffer.from(await (await context.request.get(address)).text());
  const brotli = (quality, window) => ({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: window,
    },
  });
  const levels = [
    ...[1, 2, 3, 4, 5, 6, 7, 9, 11].map((level) => [
      `brotli ${level}`,
      () => brotliCompressSync(html, brotli(level, 16)),
    ]),
    ['brotli 4, window 4 MB', () => brotliCompressSync(html, brotli(4, 22))],
    ...[1, 4, 6, 9].map((level) => [`gzip ${level}`, () => gzipSync(html, { level })]),
  ];
  console.log(`${html.length} bytes of HTML`);
  for (const [name, compressed] of levels) {
    for (let warm = 0; warm < 20; warm += 1) compressed();
    const before = performance.now();
    for (let run = 0; run < 50; run += 1) compressed();
    const ms = ((performance.now() - before) / 50).toFixed(2);
    console.log(`${name.padEnd(24)} ${String(compressed().length).padStart(7)} bytes ${ms} ms`);
  }
}

const site = await siteServed();
const service = await serviceStarted(site.address().port);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await registered(page, service.url);
  const article = await saved(page, service.url, site.address().port);
  const state = await context.storageState();
  await tell(browser, state, 'list', `${service.url}/list`);
  await tell(browser, state, 'article', `${service.url}${article}`);
  console.table(
    rows.map(({ lcp, shift, ...row }) => ({
      ...row,
      lcp: Math.round(lcp),
      shift: shift.toFixed(3),
    })),
  );
  await tellLevels(context, `${service.url}/list`);
  keepFigures(given.json, { rows });
} finally {
  await browser.close();
  await service.end();
  site.close();
}
