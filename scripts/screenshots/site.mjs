// Serves the pages of articles.mjs, each on its own host. ALL_HERE makes the service resolve names below .example to
// this machine.
import { once } from 'node:events';
import { createServer } from 'node:http';

import sharp from 'sharp';

import { ARTICLES, DRAWINGS } from './articles.mjs';

/** A module that Node loads before the service. */
export const ALL_HERE = `data:text/javascript,${encodeURIComponent(`
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
const { lookup, Resolver: { prototype } } = dns;
const here = [{ address: '127.0.0.1', family: 4 }];
const isHere = (name) => name.endsWith('.example');
dns.lookup = async (name, options) => (isHere(name) ? here : lookup(name, options));
const { resolve4, resolve6 } = prototype;
prototype.resolve4 = async function (name) { return isHere(name) ? ['127.0.0.1'] : resolve4.call(this, name); };
prototype.resolve6 = async function (name) { return isHere(name) ? [] : resolve6.call(this, name); };
syncBuiltinESMExports();
`)}`;

const pageOf = ({ title, author, drawing, paragraphs }) => `<!doctype html>
<html lang="en"><title>${title}</title>
${drawing === undefined ? '' : `<meta property="og:image" content="/pictures/${drawing}.png">`}
${author === undefined ? '' : `<meta name="author" content="${author}">`}
<meta property="og:type" content="article">
<meta property="article:published_time" content="2025-11-02T07:00:00Z">
<article><h1>${title}</h1>
${drawing === undefined ? '' : `<img src="/pictures/${drawing}.png" width="800" height="450" alt="">`}
${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}</article></html>`;

export async function siteServed() {
  const server = createServer(async ({ url, headers }, response) => {
    const [, name] = /^\/pictures\/(\w+)\.png$/.exec(url) ?? [];
    const article = ARTICLES.find(
      ({ host, path }) => path === url && headers.host?.startsWith(host),
    );
    if (name in DRAWINGS) {
      response.setHeader('Content-Type', 'image/png');
      response.end(await sharp(Buffer.from(DRAWINGS[name])).png().toBuffer());
    } else if (article !== undefined) {
      response.setHeader('Content-Type', 'text/html').end(pageOf(article));
    } else {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
