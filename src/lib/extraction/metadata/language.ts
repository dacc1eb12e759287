import { metaOf } from '../markup/head-reader.js';
import { type Clues, firstOf, type Source } from './clues.js';
import { ldText } from './json-ld.js';

const SOURCES: readonly Source<string>[] = [
  ({ facts }) => code(facts.lang),
  ({ facts }) =>
    code(metaOf(facts, ['og:locale', 'http-content-language', 'language', 'dc.language'])),
  ({ main }) => main.map((node) => code(ldText(node['inLanguage']))).find((lang) => lang !== ''),
];

/** Returns the language that the page declares. Returns an empty text if the page declares no language. */
export const languageOf = (clues: Clues): string => firstOf(SOURCES, clues) ?? '';

const code = (tag: string): string =>
  /^([a-z]{2,3})(?:[-_]|$)/iu.exec(tag)?.[1]?.toLowerCase() ?? '';

/**
 * Pairs of a language and a pattern for characters that identify this language. If several patterns match, the first
 * pair is used.
 */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['uk', /[іїєґ]/giu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['fa', /[پچژگ]/gu],
  ['ar', /\p{Script=Arabic}/gu],
];

/** The most frequent short words of languages with Latin letters, keyed by language code. */
const WORDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: 'the of and to in is that for it with was on as are be this by from have not but they you',
    de: 'der die und das den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden',
    fr: 'le la les de des et en un une du que est dans qui pour pas sur au plus par ce avec il',
    es: 'el la los de que y en un una las del por con no para su al lo como más se es sus',
    it: 'il di che e la un per del non una con sono della le si da dei nel alla è più anche come',
    pt: 'o de que e do da em um para com não uma os no se na por mais as dos como mas ao',
    nl: 'de het een van en in is dat op te zijn met voor niet aan er om ook als dan maar bij door',
    pl: 'i w na z się nie do to że jest o jak po co za od przez ale dla tym czy tylko był',
    sv: 'och att det som en på är av för med den till inte har om ett men var jag från så kan',
    da: 'og det at en den til er som på de med af for ikke der var et har om men vil fra han',
    no: 'og det at en den til er som på de med av for ikke der var et har om men vil fra jeg',
    cs: 'a se v na je že to s z do o i ve ale si jako za by pro tak jsem po které bylo',
    tr: 've bir bu da için de ile çok olarak daha gibi kadar en sonra olan ne ama var o her',
    hu: 'a az és hogy nem is egy ez de meg csak volt már mint el ki még ha vagy van azt',
    ro: 'de și în la cu a nu o pe un din care este să mai că pentru sau prin fi ca fost',
    fi: 'ja on ei se että oli hän mutta ovat kun niin myös joka tai kuin sen olla ole mitä jos',
  }).map(([lang, words]) => [lang, new Set(words.split(' '))]),
);

const READ = 3_000;
const LEAST_LETTERS = 40;
const LEAST_SHARE = { script: 0.15, words: 0.12 };

/**
 * Guesses the language of a text from its characters and its short words. Returns an empty text if the guess is
 * uncertain.
 */
export function guessedLanguage(text: string): string {
  const start = text.slice(0, READ);
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  return letters < LEAST_LETTERS ? '' : byScript(start, letters) || byWords(start);
}

function byScript(text: string, letters: number): string {
  const least = (lang: string): number =>
    lang === 'uk' || lang === 'fa' ? 0.01 : LEAST_SHARE.script;
  const found = SCRIPTS.find(
    ([lang, script]) => (text.match(script)?.length ?? 0) / letters >= least(lang),
  );
  return found?.[0] ?? '';
}

function byWords(text: string): string {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const [best] = Object.entries(WORDS)
    .map(([lang, known]) => ({
      lang,
      share: words.filter((word) => known.has(word)).length / words.length,
    }))
    .sort((one, other) => other.share - one.share);
  return best && best.share >= LEAST_SHARE.words ? best.lang : '';
}
