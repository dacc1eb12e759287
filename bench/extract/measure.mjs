// Runs one candidate over the pages in its own process, so that its memory can be measured. Returns the results as
// JSON.
import { performance } from 'node:perf_hooks';

import { CANDIDATES } from './candidates.mjs';
import {
  authorScore,
  bagScore,
  dayScore,
  f1,
  imageScore,
  mean,
  segmentScore,
  shingleScore,
  titleScore,
  wordF1,
} from './scores.mjs';
import { htmlOf, readTruth } from './truth.mjs';

const NOTHING = { text: '', title: '', authors: [], day: '', image: '', excerpt: '', lang: '' };
/** The first pages include compilation. */
const WARM_UP = 5;
const FALLBACK_URL = 'http://unknown.example/';

export async function measure(name, options) {
  const extract = await CANDIDATES[name]();
  const pages = readTruth(options.data, options);
  const results = [];
  for (const page of pages) {
    const html = htmlOf(page);
    const start = performance.now();
    const used = process.cpuUsage();
    const { found, failed } = await attempt(extract, html, page.url ?? FALLBACK_URL);
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(used);
    results.push({ page, found, failed, ms, cpuMs: (user + system) / 1000 });
  }
  return {
    name,
    pages: pages.length,
    failures: results.filter(({ failed, found }) => failed || found.text.trim() === '').length,
    peakMemoryMb: Math.round(process.resourceUsage().maxRSS / 1024),
    time: timesOf(results.slice(WARM_UP).map(({ ms }) => ms)),
    cpu: timesOf(results.slice(WARM_UP).map(({ cpuMs }) => cpuMs)),
    text: textScores(results),
    metadata: metadataScores(results),
    kind: kindScores(results),
    ...(options.perPage && { perPage: results.map(perPage) }),
  };
}

async function attempt(extract, html, url) {
  try {
    return { found: { ...NOTHING, ...(await extract(html, url)) }, failed: false };
  } catch (error) {
    if (process.env.SHOW_ERRORS) console.error(url, error);
    return { found: NOTHING, failed: true };
  }
}

function timesOf(measured) {
  const times = measured.toSorted((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95), max: times.at(-1) ?? 0, mean: mean(times) };
}

const inGroup = (results, group) => results.filter(({ page }) => page.group === group);

function textScores(results) {
  return {
    sh: averaged(inGroup(results, 'sh'), shingleScore),
    wcxb: bags(inGroup(results, 'wcxb')),
    'wcxb other': bags(inGroup(results, 'wcxb other')),
    traf: segments(inGroup(results, 'traf')),
    words: wordCounts(inGroup(results, 'wcxb')),
  };
}

function averaged(results, score) {
  const scores = results.map(({ page, found }) => score(found.text, page.gt.text));
  const defined = (name) => scores.map((one) => one[name]).filter((value) => value !== undefined);
  const precision = mean(defined('precision'));
  const recall = mean(defined('recall'));
  return { pages: scores.length, f1: f1(precision, recall), precision, recall };
}

/** Pages with an empty truth are not annotated. */
function bags(all) {
  const results = all.filter(({ page }) => /[\p{L}\p{N}]/u.test(page.gt.text));
  const scores = results.map(({ page, found }) => bagScore(found.text, page.gt.text));
  const of = (name) => mean(scores.map((one) => one[name]));
  return { pages: scores.length, f1: of('f1'), precision: of('precision'), recall: of('recall') };
}

function segments(results) {
  const scores = results.map(({ page, found }) => segmentScore(found.text, page.gt));
  const sum = (name) => scores.reduce((total, one) => total + one[name], 0);
  const precision = sum('hits') / (sum('hits') + sum('wrong'));
  const recall = sum('hits') / (sum('hits') + sum('missed'));
  return { pages: scores.length, f1: f1(precision, recall), precision, recall };
}

/** Returns the share of pages whose word count is within 10% of the truth. */
function wordCounts(results) {
  const words = (text) => text.match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  const near = results.map(({ page, found }) => {
    const truth = words(page.gt.text);
    return Math.abs((found.wordCount ?? words(found.text)) - truth) <= truth / 10 ? 1 : 0;
  });
  return { pages: near.length, f1: mean(near) };
}

const METADATA = {
  'wcxb title': ['wcxb', 'title', (found, truth) => titleScore(found.title, truth)],
  'wcxb author': ['wcxb', 'author', (found, truth) => authorScore(found.authors, truth)],
  'wcxb date': ['wcxb', 'date', (found, truth) => dayScore(found.day, truth)],
  'traf title': ['traf', 'title', (found, truth) => titleScore(found.title, truth)],
  'traf author': ['traf', 'author', (found, truth) => authorScore(found.authors, truth)],
  // Lower is better. Counts only pages without an author.
  'traf invented author': [
    'traf',
    'author',
    (found) => (found.authors.length > 0 ? 1 : 0),
    (truth) => truth !== undefined && truth !== null && !truth,
  ],
  'traf date': ['traf', 'date', (found, truth) => dayScore(found.day, truth)],
  'traf excerpt': ['traf', 'description', (found, truth) => wordF1(found.excerpt, truth)],
  'htmldate date': ['htmldate', 'date', (found, truth) => dayScore(found.day, truth)],
  'post title': ['post', 'title', (found, truth) => titleScore(found.title, truth)],
  'post author': ['post', 'author', (found, truth) => authorScore(found.authors, truth)],
  'post date': ['post', 'date_published', (found, truth) => dayScore(found.day, truth)],
  'post image': ['post', 'lead_image_url', (found, truth) => imageScore(found.image, truth)],
  'moz title': ['moz', 'title', (found, truth) => titleScore(found.title, truth)],
  'moz author': ['moz', 'author', (found, truth) => authorScore(found.authors, truth)],
  'moz excerpt': ['moz', 'excerpt', (found, truth) => wordF1(found.excerpt, truth)],
  'moz lang': [
    'moz',
    'lang',
    (found, truth) => (found.lang.slice(0, 2).toLowerCase() === truth.slice(0, 2) ? 1 : 0),
  ],
};

/** In traf, an empty date means "no date". Any other empty value means "not annotated". */
const isAnnotated = (truth, set, member) =>
  set === 'traf' && member === 'date' ? truth !== undefined && truth !== null : Boolean(truth);

function metadataScores(results) {
  return Object.fromEntries(
    Object.entries(METADATA).map(([name, [set, member, score, counts = isAnnotated]]) => {
      const scores = inGroup(results, set)
        .filter(({ page }) => counts(page.gt[member], set, member))
        .map(({ page, found }) => score(found, page.gt[member]));
      return [name, { pages: scores.length, score: mean(scores) }];
    }),
  );
}

const ARTICLES = {
  article: 1,
  documentation: 1,
  listing: 0,
  collection: 0,
  product: 0,
  service: 0,
};
const INDEXES = { listing: 1, collection: 1, article: 0, documentation: 0, product: 0, forum: 0 };

function kindScores(results) {
  const share = (truth, member) => {
    const judged = results.filter(
      ({ page, found }) => truth[page.page_type] !== undefined && found[member] !== undefined,
    );
    return mean(
      judged.map(({ page, found }) => (found[member] === Boolean(truth[page.page_type]) ? 1 : 0)),
    );
  };
  return { isArticle: share(ARTICLES, 'isArticle'), isIndex: share(INDEXES, 'isIndex') };
}

/** Returns results per page, for development. */
function perPage({ page, found, ms }) {
  const text = { sh: shingleScore, wcxb: bagScore }[page.set];
  const scores = text && page.gt.text ? text(found.text, page.gt.text) : undefined;
  const segmented = page.group === 'traf' ? segmentScore(found.text, page.gt) : undefined;
  const metadata = Object.entries(METADATA)
    .filter(
      ([, [set, member, , counts = isAnnotated]]) =>
        set === page.group && counts(page.gt[member], set, member),
    )
    .map(([name, [, member, score]]) => [name, score(found, page.gt[member]), page.gt[member]]);
  return { id: page.id, group: page.group, url: page.url, ms, scores, segmented, metadata, found };
}
