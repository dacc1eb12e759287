// The scoring of the original benchmarks, in JavaScript.
const TOKEN = /[\p{L}\p{N}_]+/gu;
const tokens = (text) => text.match(TOKEN) ?? [];
const counted = (things) => {
  const counts = new Map();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return counts;
};
const overlap = (a, b) => {
  let sum = 0;
  for (const [thing, count] of a) sum += Math.min(count, b.get(thing) ?? 0);
  return sum;
};
export const mean = (values) =>
  values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
export const f1 = (precision, recall) =>
  precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;

const shingles = (text) => {
  const words = tokens(text);
  const found = [];
  for (let at = 0; at < Math.max(1, words.length - 3); at += 1) {
    if (words.length > 0) found.push(words.slice(at, at + 4).join(' '));
  }
  return found;
};

/** scrapinghub: compares 4-word shingles of a page. */
export function shingleScore(text, truth) {
  const [said, meant] = [shingles(text), shingles(truth)];
  const both = overlap(counted(said), counted(meant));
  return {
    precision: said.length === 0 ? undefined : both / said.length,
    recall: meant.length === 0 ? undefined : both / meant.length,
  };
}

/** WCXB: compares the words of a page in any order. */
export function bagScore(text, truth) {
  const [said, meant] = [tokens(text.toLowerCase()), tokens(truth.toLowerCase())];
  const both = overlap(counted(said), counted(meant));
  const precision = said.length === 0 ? 0 : both / said.length;
  const recall = meant.length === 0 ? 0 : both / meant.length;
  return { precision, recall, f1: f1(precision, recall) };
}

const folded = (text) => text.replace(/\s+/gu, ' ').trim();

/** trafilatura: checks segments that must be, and must not be, in the text. */
export function segmentScore(text, truth) {
  const line = folded(text);
  const has = (segment) => line.includes(folded(segment));
  const hits = truth.with.filter(has).length;
  return { hits, missed: truth.with.length - hits, wrong: truth.without.filter(has).length };
}

const plain = (text) => folded(text.normalize('NFKC').toLowerCase().replace(/[‘’]/gu, "'"));

export function wordF1(text, truth) {
  const [said, meant] = [tokens(plain(text)), tokens(plain(truth))];
  if (meant.length === 0) return said.length === 0 ? 1 : 0;
  const both = overlap(counted(said), counted(meant));
  return f1(said.length === 0 ? 0 : both / said.length, both / meant.length);
}

/** Returns 1 if the titles are equal, or share nine of ten words. */
export const titleScore = (title, truth) =>
  plain(title) === plain(truth) || wordF1(title, truth) >= 0.9 ? 1 : 0;

const listed = (truth) => (Array.isArray(truth) ? truth.join('; ') : truth);
const names = (text) =>
  new Set(
    text
      .replace(/^\s*(?:by|von|par|por)\s+/iu, '')
      .split(/\s*(?:[,;|\n/]|\band\b|\bund\b|&)\s*/iu)
      .map((name) => tokens(plain(name)).join(' '))
      .filter((name) => name !== ''),
  );

/** Returns the F1 of the sets of names. */
export function authorScore(authors, truth) {
  const said = names(authors.join('; '));
  const meant = names(listed(truth));
  if (meant.size === 0 || said.size === 0) return meant.size === said.size ? 1 : 0;
  const both = [...said].filter((name) => meant.has(name)).length;
  return f1(both / said.size, both / meant.size);
}

export const dayScore = (day, truth) => (day.slice(0, 10) === truth.slice(0, 10) ? 1 : 0);

const bare = (url) => url.replace(/[?#].*$/u, '').replace(/^https?:/u, '');
export const imageScore = (url, truth) => (bare(url) === bare(truth) ? 1 : 0);
