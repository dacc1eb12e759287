// Generates text for the lists of list-data.mjs, in five languages. Words follow Zipf's law, with the language's
// inflections and stop words. Lengths are log-normal, around 350 words for an article of two halves. Deterministic.
const SUFFIXES = {
  en: ['', '', '', 's', 'ed', 'ing', 'ly', 'ness'],
  de: ['', '', 'e', 'en', 'er', 'ung', 'lich', 'keit'],
  fr: ['', '', 's', 'e', 'ment', 'tion', 'eur', 'é'],
  es: ['', '', 's', 'o', 'a', 'mente', 'ción', 'ando'],
};
const STOP_WORDS = {
  en: 'the of and to a in is that for it was on are as with his they at be this from have or by one had not but what all were when we there can an your which their if will',
  de: 'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über',
  fr: 'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se le ce il sont avec son mais comme on ou si leur y dont',
  es: 'de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque esta entre cuando muy sin sobre',
};
const ONSETS = [
  'b',
  'br',
  'c',
  'd',
  'f',
  'g',
  'gr',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
  'z',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou'];
const CODAS = ['', '', 'l', 'm', 'n', 'r', 's', 't', 'nd', 'rk'];
const WORDS = 60_000;
const STOP_SHARE = 0.42;

export const random = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

/** Returns the word with this rank, counted from 0. */
export function stem(rank) {
  const draw = random(rank * 7919 + 17);
  const pick = (from) => from[Math.floor(draw() * from.length)];
  const syllables = 1 + (rank > 40) + (rank > 3000) + (draw() < 0.3);
  let word = '';
  for (let n = 0; n < syllables; n += 1) word += pick(ONSETS) + pick(VOWELS) + pick(CODAS);
  return word;
}

const cumulative = new Float64Array(WORDS);
let sum = 0;
for (let rank = 0; rank < WORDS; rank += 1) cumulative[rank] = sum += 1 / (rank + 8) ** 1.25;

function rankFor(share) {
  const wanted = share * sum;
  let low = 0;
  let high = WORDS - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

const stems = Array.from({ length: WORDS }, (_, rank) => stem(rank));
const stopWords = Object.fromEntries(
  Object.entries(STOP_WORDS).map(([lang, words]) => [lang, words.split(' ')]),
);
const KANJI = 3000;
const kanji = (draw) => String.fromCodePoint(0x4e00 + Math.floor(KANJI * draw() ** 2));

/** Returns language and text of half an article. Numbers that are equal modulo 12 have the same language. */
export function halfArticle(n) {
  const draw = random(n + 1);
  const lang = ['en', 'en', 'en', 'en', 'en', 'en', 'en', 'de', 'de', 'fr', 'es', 'ja'][n % 12];
  const normal = Math.sqrt(-2 * Math.log(draw() || 1e-9)) * Math.cos(2 * Math.PI * draw());
  const length = Math.round(Math.min(20_000, 275 * Math.exp(0.75 * normal)));
  if (lang === 'ja') {
    return { lang, text: Array.from({ length: 2 * length }, () => kanji(draw)).join('') };
  }
  const words = [];
  for (let at = 0; at < length; at += 1) {
    if (draw() < STOP_SHARE)
      words.push(stopWords[lang][Math.floor(stopWords[lang].length * draw() ** 2)]);
    else words.push(stems[rankFor(draw())] + SUFFIXES[lang][Math.floor(8 * draw())]);
  }
  return { lang, text: words.join(' ') };
}

/** An item combines one first and one second half, so that hundreds of thousands of articles differ. */
const FIRST = 833;
const SECOND = 827;
const LANGUAGES = 12;
/** Only the largest list and a list of 50,000 have text. */
const WITH_TEXTS = 'user_id IN (1, 2)';

const configuration = (
  lang,
) => `CASE ${lang} WHEN 'en' THEN 'english' WHEN 'de' THEN 'german' WHEN 'fr' THEN 'french' WHEN 'es' THEN 'spanish'
  ELSE 'simple' END`;

/** The database joins the words of halves and titles. Parsing 250,000 articles would take an hour. */
const FILL = [
  `CREATE TABLE bench_halves (n int PRIMARY KEY, lang text, bytes int, words tsvector)`,
  `INSERT INTO bench_halves SELECT n, lang, bytes, to_tsvector(configuration::regconfig, words)
   FROM (SELECT *, ${configuration('lang')} AS configuration FROM bench_texts) t`,
  `DROP TABLE bench_texts`,
  `CREATE TABLE bench_items AS
   SELECT user_id, item_id, added_order, given_title, url_key,
     (n % ${FIRST}) * ${LANGUAGES} + n % ${LANGUAGES} AS first,
     (${FIRST} + (n / ${FIRST}) % ${SECOND}) * ${LANGUAGES} + n % ${LANGUAGES} AS second
   FROM (SELECT *, row_number() OVER (ORDER BY user_id, added_order)::int AS n FROM items WHERE ${WITH_TEXTS}) i`,
  `DROP INDEX item_texts_words_idx`,
  `INSERT INTO item_texts (user_id, item_id, added_order, language, words)
   SELECT user_id, item_id, added_order, ${configuration('a.lang')}, array_to_tsvector(ARRAY['#' || user_id])
     || setweight(to_tsvector((${configuration('a.lang')})::regconfig, given_title), 'A')
     || setweight(to_tsvector('simple', replace(url_key, '/', ' ')), 'B') || a.words || b.words
   FROM bench_items i JOIN bench_halves a ON a.n = first JOIN bench_halves b ON b.n = second
   ORDER BY user_id, added_order`,
  `SET maintenance_work_mem = '512MB'`,
  `CREATE INDEX item_texts_words_idx ON item_texts USING gin (words)`,
  `VACUUM ANALYZE item_texts`,
];

/** Fills in the texts of the list-data.mjs database, once. */
export async function fillTexts(client, { log = console.log } = {}) {
  const { rows } = await client.query(`SELECT to_regclass('bench_items') IS NOT NULL AS done`);
  if (rows[0].done) return;
  await client.query(`SET statement_timeout = 0; SET work_mem = '128MB'`);
  await client.query(`CREATE TABLE bench_texts (n int, lang text, bytes int, words text)`);
  const { wordsOf } = await import('../dist/src/reading-list/texts/words.js');
  for (let from = 0; from < (FIRST + SECOND) * LANGUAGES; from += 500) {
    const halves = Array.from({ length: 500 }, (_, at) => ({
      n: from + at,
      ...halfArticle(from + at),
    }));
    await client.query(
      `INSERT INTO bench_texts SELECT * FROM unnest($1::int[], $2::text[], $3::int[], $4::text[])`,
      [
        halves.map(({ n }) => n),
        halves.map(({ lang }) => lang),
        halves.map(({ text }) => Buffer.byteLength(text)),
        halves.map(({ text }) => wordsOf(text).join(' ')),
      ],
    );
  }
  for (const statement of FILL) {
    const begin = performance.now();
    await client.query(statement);
    log(
      `${((performance.now() - begin) / 1000).toFixed(1).padStart(7)} s  ${statement.slice(0, 60).replaceAll('\n', ' ')}`,
    );
  }
}
