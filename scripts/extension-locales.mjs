// Generates extension/_locales/ from the section `browserExtension` of the files in
// src/platform/i18n/messages/, one file per language. With --check, it only reports whether the
// generated files are up to date.
// Usage: node scripts/extension-locales.mjs [--check] [messages folder] [locales folder]
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const SECTION = 'browserExtension';
const DEFAULT_LANGUAGE = 'en';
const VALUE = /\{\{(\w+)\}\}/g;
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

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

/**
 * The names of the values of each text, in the order in which the extension passes them. All plural
 * forms of a text share their names, and can contain `count`.
 */
const names = new Map();
for (const [key, text] of textsIn(sectionOf(DEFAULT_LANGUAGE))) {
  const base = key.replace(PLURAL, '');
  const found = [...text.matchAll(VALUE)].map(([, name]) => name);
  const all = [...(names.get(base) ?? []), ...found, ...(base === key ? [] : ['count'])];
  names.set(base, [...new Set(all)].sort());
}

/** Converts a text to the format of browser extensions. */
function messageOf(language, key, text) {
  const known = names.get(key.replace(PLURAL, '')) ?? [];
  const used = new Set();
  const message = text
    // Browsers remove the first of several `$` in a row.
    .replaceAll(/\$+/g, (dollars) => `$${dollars}`)
    .replaceAll(VALUE, (_, name) => {
      if (!known.includes(name)) {
        throw new Error(`${language}.json: ${SECTION}.${key} has an unknown value {{${name}}}`);
      }
      used.add(name);
      return `$${name.toUpperCase()}$`;
    });
  const placeholders = [...used]
    .sort()
    .map((name) => [name.toLowerCase(), { content: `$${known.indexOf(name) + 1}` }]);
  return placeholders.length === 0
    ? { message }
    : { message, placeholders: Object.fromEntries(placeholders) };
}

/** Returns all messages of a language. `language` selects the plural rules of the texts. */
const localeOf = (language) => ({
  language: { message: language },
  ...Object.fromEntries(
    textsIn(sectionOf(language)).map(([key, text]) => [
      key.replaceAll('.', '_'),
      messageOf(language, key, text),
    ]),
  ),
});

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
