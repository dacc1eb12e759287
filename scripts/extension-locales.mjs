// Generates extension/_locales/ from the section `browserExtension` of the files in
// src/platform/i18n/messages/, one file per language. With --check, it only reports whether the
// generated files are up to date. Throws if a browser could not show a text correctly.
// Usage: node scripts/extension-locales.mjs [--check] [messages folder] [locales folder]
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const SECTION = 'browserExtension';
const DEFAULT_LANGUAGE = 'en';
/** The name of the generated message that contains the language of the texts. */
const LANGUAGE_NAME = 'language';
const VALUE = /\{\{(\w+)\}\}/g;
const TAG = /<(\w+)>[^<]*<\/\1>/g;
const PLURAL = /_(?:zero|one|two|few|many|other)$/;
/** Chromium supports only the positions `$1` to `$9`. */
const MOST_VALUES = 9;

/** Texts that a browser would misread after the conversion, because `$` marks placeholders and positions there. */
const MISREAD = [
  [/\$[\w@]+\$/, 'has `$` before and after a word'],
  [/\$[\w@]*\{\{/, 'has `$` before a value'],
  [/\}\}\d/, 'has a digit after a value'],
];

const { values: options, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [messages = 'src/platform/i18n/messages', locales = 'extension/_locales'] = positionals;

/** Returns the texts of a section with their keys, such as `popup.saved`. */
const textsIn = (tree, prefix = '') =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${prefix}${name}`, value]] : textsIn(value, `${prefix}${name}.`),
  );

const sectionOf = (language) =>
  JSON.parse(readFileSync(join(messages, `${language}.json`), 'utf8'))[SECTION];

const withoutPlural = (key) => key.replace(PLURAL, '');
const namesIn = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
const unique = (names) => [...new Set(names)].sort();

/**
 * The names of the values and of the tags of each English text. All plural forms of a text share
 * them. `values` has the order in which the extension passes the values.
 */
const english = new Map();
for (const [key, text] of textsIn(sectionOf(DEFAULT_LANGUAGE))) {
  const base = withoutPlural(key);
  const { values = [], tags = [] } = english.get(base) ?? {};
  const count = base === key ? [] : ['count'];
  english.set(base, {
    values: unique([...values, ...count, ...namesIn(text, VALUE)]),
    tags: unique([...tags, ...namesIn(text, TAG)]),
  });
}

/** Throws an error that names the text. */
function refuse(language, key, problem) {
  throw new Error(`${language}.json: ${SECTION}.${key} ${problem}`);
}

/**
 * Checks that a text has the same values and tags as the English text. The scripts of the extension
 * look for the elements that the tags name. Plural forms need not contain `count`.
 */
function checkNames(language, key, text) {
  const expected = english.get(withoutPlural(key));
  if (expected === undefined) {
    refuse(language, key, `is not in ${DEFAULT_LANGUAGE}.json`);
  }
  const isOptional = (name) => name === 'count' && PLURAL.test(key);
  for (const [kind, pattern, names] of [
    ['value', VALUE, expected.values],
    ['tag', TAG, expected.tags],
  ]) {
    const found = unique(namesIn(text, pattern));
    const unknown = found.find((name) => !names.includes(name));
    const missing = names.find((name) => !found.includes(name) && !isOptional(name));
    if (unknown !== undefined) {
      refuse(language, key, `has an unknown ${kind} ${unknown}`);
    }
    if (missing !== undefined) {
      refuse(language, key, `lacks the ${kind} ${missing}`);
    }
  }
  if (new Set(expected.values.map((name) => name.toLowerCase())).size < expected.values.length) {
    refuse(language, key, 'has values that differ only in case');
  }
  if (expected.values.length > MOST_VALUES) {
    refuse(language, key, `has more than ${MOST_VALUES} values`);
  }
}

/** Converts a text to the format of browser extensions. */
function messageOf(language, key, text) {
  checkNames(language, key, text);
  for (const [pattern, problem] of MISREAD) {
    if (pattern.test(text)) {
      refuse(language, key, problem);
    }
  }
  const { values } = english.get(withoutPlural(key));
  const message = text
    // Browsers remove the first of several `$` in a row.
    .replaceAll(/\$+/g, (dollars) => `$${dollars}`)
    .replaceAll(VALUE, (_, name) => `$${name.toUpperCase()}$`);
  const placeholders = unique(namesIn(text, VALUE)).map((name) => [
    name.toLowerCase(),
    { content: `$${values.indexOf(name) + 1}` },
  ]);
  return placeholders.length === 0
    ? { message }
    : { message, placeholders: Object.fromEntries(placeholders) };
}

/** Returns the generated name of a key. Browsers ignore the case of names, so `taken` has them in lower case. */
function nameOf(language, key, taken) {
  const name = key.replaceAll('.', '_');
  if (/\W/.test(name)) {
    refuse(language, key, 'has a character that names cannot contain');
  }
  const other = taken.get(name.toLowerCase());
  if (other !== undefined) {
    refuse(language, key, `has the same generated name as ${other}`);
  }
  taken.set(name.toLowerCase(), `${SECTION}.${key}`);
  return name;
}

/** Returns all messages of a language. `language` selects the plural rules of the texts. */
function localeOf(language) {
  const taken = new Map([[LANGUAGE_NAME, 'the language of the texts']]);
  return {
    [LANGUAGE_NAME]: { message: language },
    ...Object.fromEntries(
      textsIn(sectionOf(language)).map(([key, text]) => [
        nameOf(language, key, taken),
        messageOf(language, key, text),
      ]),
    ),
  };
}

const generated = new Map(
  readdirSync(messages)
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'))
    .filter((language) => sectionOf(language) !== undefined)
    .map((language) => [
      join(locales, language.replaceAll('-', '_'), 'messages.json'),
      `${JSON.stringify(localeOf(language), null, 2)}\n`,
    ]),
);

const current = existsSync(locales)
  ? readdirSync(locales, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  : [];
const isCurrent = (file) => generated.get(file) === readFileSync(file, 'utf8');

if (!options.check) {
  rmSync(locales, { recursive: true, force: true });
  for (const [file, text] of generated) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
} else if (current.length !== generated.size || !current.every(isCurrent)) {
  console.error(`${locales} is out of date: run npm run extension:locales`);
  process.exitCode = 1;
}
