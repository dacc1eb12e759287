import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { LANGUAGES, localeOf } from '../../src/platform/i18n/languages.js';
import type { MessageTree } from '../../src/platform/i18n/message-tree.js';
import { messageProblems } from '../support/message-problems.js';

const FOLDER = 'src/platform/i18n/messages';

const read = (language: string): MessageTree =>
  JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as MessageTree;

describe('the languages', () => {
  it('have one file each', () => {
    const files = readdirSync(FOLDER).map((name) => basename(name, '.json'));

    expect(files.toSorted()).toEqual(LANGUAGES.toSorted());
  });

  it('are known to Intl, together with their locale', () => {
    const locales = LANGUAGES.flatMap((language) => [language, localeOf(language)]);

    for (const supported of [
      Intl.PluralRules.supportedLocalesOf(locales),
      Intl.DateTimeFormat.supportedLocalesOf(locales),
      Intl.NumberFormat.supportedLocalesOf(locales),
    ]) {
      expect(supported).toEqual([...new Set(locales)]);
    }
  });

  it.each(LANGUAGES)('have all messages, values, tags and plural forms: %s', (language) => {
    expect(messageProblems(language, read(language), read('en'))).toEqual([]);
  });
});

describe('the check of messages', () => {
  const english = {
    plain: 'Save {{name}}',
    link: 'Open <link>the list</link> or <date/>',
    items_one: '{{count}} item in {{list}}',
    items_other: '{{count}} items in {{list}}',
  };
  const german = {
    plain: '{{name}} speichern',
    link: '<date/> oder <link>die Liste</link> öffnen',
    items_one: 'Ein Eintrag in {{list}}',
    items_other: '{{count}} Einträge in {{list}}',
  };

  it('accepts a complete translation with its own order', () => {
    expect(messageProblems('de', german, english)).toEqual([]);
  });

  it('requires exactly the plural forms of the language', () => {
    const { items_one, items_other, ...rest } = german;
    const forms = { items_one, items_other, items_few: items_other, items_many: items_other };

    expect(messageProblems('pl', { ...rest, ...forms }, english)).toEqual([]);
    expect(messageProblems('de', { ...rest, ...forms }, english)).toEqual([
      'items has the unused plural form few',
      'items has the unused plural form many',
    ]);
    expect(messageProblems('ar', { ...rest, ...forms }, english)).toEqual([
      'items lacks the plural form two',
      'items lacks the plural form zero',
    ]);
    expect(messageProblems('ja', { ...rest, items_other }, english)).toEqual([]);
  });

  it.each([
    [{ plain: undefined }, 'plain is missing'],
    [{ other: 'x' }, 'other is not in en.json'],
    [{ plain: '' }, 'plain lacks the value name'],
    [{ plain: ' {{name}}' }, 'plain is empty or has outer spaces'],
    [{ plain: '{{nmae}}' }, 'plain has the unknown value nmae'],
    [{ plain: '{{name}} {{ x }}' }, 'plain has a broken value or tag'],
    [{ plain: '{{name}} {name}}' }, 'plain has a broken value or tag'],
    [{ link: '<date/> <link>x<link>' }, 'link has a broken value or tag'],
    [{ link: '<date/> </link>x<link>' }, 'link has a broken value or tag'],
    [{ link: '<date/> <link>x</link' }, 'link has a broken value or tag'],
    [{ link: '<date/> <lnik>x</lnik>' }, 'link has other tags than the English text'],
    [{ link: '<link>x</link>' }, 'link has other tags than the English text'],
    [{ items_other: '{{count}} Einträge' }, 'items lacks the value list'],
    [{ items_other: undefined }, 'items lacks the plural form other'],
  ])('finds the fault of %j', (change, problem) => {
    const changed = JSON.parse(JSON.stringify({ ...german, ...change })) as MessageTree;

    expect(messageProblems('de', changed, english)).toContain(problem);
  });
});
