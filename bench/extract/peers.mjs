// Test pages of other article extractors, and the similarity of a result to their expectation. It is the F1 of the
// words of both texts, in any order. In scripts without spaces, each character is a word.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { parseDocument } from '../../dist/src/lib/extraction/dom.js';
import { blocksOf } from '../../dist/src/lib/extraction/text/blocks.js';
import { authorScore, bagScore, titleScore, wordF1 } from './scores.mjs';

/** Replaces each formula in MathML by its TeX, because the suites expect formulas in TeX. */
const withTex = (html) =>
  html.replaceAll(/<math\b[^<>]*\balttext="([^"<>]*)"[^<>]*>.*?<\/math>/gsu, ' $1 ');

const textOf = (html) =>
  blocksOf(parseDocument(`<html><body>${withTex(html)}</body></html>`).body)
    .map(({ text }) => text)
    .join('\n');

/** Readers of the suites, keyed by option. */
export const SUITES = { mozilla: mozillaPages, defuddle: defuddlePages };

/** Each page is a folder with source.html, expected.html and expected-metadata.json. */
function mozillaPages(directory) {
  return readdirSync(directory).map((name) => {
    const read = (file) => readFileSync(join(directory, name, file), 'utf8');
    const { title, byline, excerpt } = JSON.parse(read('expected-metadata.json'));
    return {
      name,
      html: read('source.html'),
      url: 'http://fakehost/test/page.html',
      expected: { text: textOf(read('expected.html')), title, author: byline, excerpt },
    };
  });
}

/** Reads fixtures/NAME.html, which may start with its address in a comment, and expected/NAME.md. */
function defuddlePages(directory) {
  return readdirSync(join(directory, 'fixtures')).map((file) => {
    const name = basename(file, '.html');
    const html = readFileSync(join(directory, 'fixtures', file), 'utf8');
    const [, said] = /<!--\s*(\{"url":.*?\})\s*-->/u.exec(html) ?? [];
    const url =
      said === undefined ? `https://${name.replace(/^[a-z]+--/u, '')}` : JSON.parse(said).url;
    const markdown = readFileSync(join(directory, 'expected', `${name}.md`), 'utf8');
    const [, head = '{}', body = ''] = /^```json\n(.*?)\n```\n(.*)$/su.exec(markdown) ?? [];
    const { title, author } = JSON.parse(head);
    return { name, html, url, expected: { text: textOfMarkdown(body), title, author } };
  });
}

/** Strips addresses, pictures, language names and markup. */
const textOfMarkdown = (markdown) =>
  markdown
    .replaceAll(/^\s*```+.*$/gmu, '')
    .replaceAll(/!\[[^\]]*\]\([^)\s]*(?:\s"[^"]*")?\)/gu, ' ')
    .replaceAll(/\]\((?:[^()\s]|\([^()\s]*\))*(?:\s"[^"]*")?\)/gu, '] ')
    .replaceAll(/<[^>]+>/gu, ' ')
    .replaceAll(/\\(?=[^\p{L}\p{N}])/gu, '');

export async function compared(pages, extract) {
  const scores = [];
  for (const { name, html, url, expected } of pages) {
    scores.push({ name, ...scoresOf(await attempt(extract, html, url), expected) });
  }
  return scores;
}

async function attempt(extract, html, url) {
  const nothing = { text: '', title: '', authors: [], excerpt: '' };
  try {
    return { ...nothing, ...(await extract(html, url)) };
  } catch {
    return nothing;
  }
}

/** Compares only members that the suite expects. */
function scoresOf(found, { text, title, author, excerpt }) {
  return {
    html: similarity(found.html === undefined ? found.text : textOf(found.html), text),
    text: similarity(found.text, text),
    title: title ? titleScore(found.title, title) : undefined,
    author: author ? authorScore(found.authors, author) : undefined,
    excerpt: excerpt ? wordF1(found.excerpt, excerpt) : undefined,
  };
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

function similarity(text, expected) {
  const [said, meant] = [text, expected].map((one) => one.replaceAll(UNSPACED, ' $& '));
  return /[\p{L}\p{N}]/u.test(meant) ? bagScore(said, meant).f1 : Number(said.trim() === '');
}
