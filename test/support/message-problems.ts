import type { MessageTree } from '../../src/platform/i18n/message-tree.js';

const PLURAL = /_(zero|one|two|few|many|other)$/;
const VALUE = /\{\{(\w+)\}\}/g;
const TAG = /<\/?\w+\/?>/g;
/** Parts of a message that look like a value or a tag, but are not written correctly. */
const BROKEN = /\{\{(?!\w+\}\})|(?<!\{\{\w+)\}\}|<(?!\/?[A-Za-z]+\/?>)/;

/** Returns the messages of a tree with their keys. */
export const textsIn = (tree: MessageTree, prefix = ''): (readonly [key: string, text: string])[] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[`${prefix}${name}`, value] as const]
      : textsIn(value, `${prefix}${name}.`),
  );

/** Returns the key without the plural form, such as `list.total` for `list.total_one`. */
export const withoutPlural = (key: string): string => key.replace(PLURAL, '');

/** Returns the forms of each message, keyed by plural form. A message without plural forms has the form `''`. */
function messagesIn(tree: MessageTree): Map<string, Map<string, string>> {
  const messages = new Map<string, Map<string, string>>();
  for (const [key, text] of textsIn(tree)) {
    const base = withoutPlural(key);
    const forms = messages.get(base) ?? new Map<string, string>();
    messages.set(base, forms.set(PLURAL.exec(key)?.[1] ?? '', text));
  }
  return messages;
}

const unique = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();
const valuesIn = (text: string): string[] => [...text.matchAll(VALUE)].map(([, name = '']) => name);
const tagsIn = (text: string): string[] => (text.match(TAG) ?? []).toSorted();

/** Returns true if each opening tag of the text is closed before the next tag opens. */
const isNested = (text: string): boolean => {
  const tags = (text.match(TAG) ?? []).filter((tag) => !tag.endsWith('/>'));
  return tags.every((tag, place) =>
    place % 2 === 0 ? tags[place + 1] === tag.replace('<', '</') : tag.startsWith('</'),
  );
};

/** Returns the problems of one form of a message. `forms` are the texts of all English forms. */
function problemsOfText(text: string, forms: readonly string[], isPlural: boolean): string[] {
  const expected = unique(forms.flatMap(valuesIn));
  const found = unique(valuesIn(text));
  const mustHave = expected.filter((name) => !isPlural || name !== 'count');
  return [
    ...(text.trim() === '' || text !== text.trim() ? ['is empty or has outer spaces'] : []),
    ...(BROKEN.test(text) || !isNested(text) ? ['has a broken value or tag'] : []),
    ...found
      .filter((name) => !expected.includes(name))
      .map((name) => `has the unknown value ${name}`),
    ...mustHave.filter((name) => !found.includes(name)).map((name) => `lacks the value ${name}`),
    ...(forms.some((form) => tagsIn(form).join() === tagsIn(text).join())
      ? []
      : ['has other tags than the English text']),
  ];
}

function problemsOfForms(
  forms: ReadonlyMap<string, string>,
  english: ReadonlyMap<string, string>,
  language: string,
): string[] {
  const isPlural = !english.has('');
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const wanted = isPlural ? pluralCategories : [''];
  return [
    ...wanted.filter((form) => !forms.has(form)).map((form) => `lacks the plural form ${form}`),
    ...[...forms.keys()]
      .filter((form) => !wanted.includes(form))
      .map((form) => `has the unused plural form ${form}`),
    ...[...forms.values()].flatMap((text) => problemsOfText(text, [...english.values()], isPlural)),
  ];
}

/** Returns the faults of the messages of a language, compared with the English messages. */
export function messageProblems(
  language: string,
  translated: MessageTree,
  english: MessageTree,
): string[] {
  const expected = messagesIn(english);
  const found = messagesIn(translated);
  return [
    ...[...expected.keys()].filter((key) => !found.has(key)).map((key) => `${key} is missing`),
    ...[...found].flatMap(([key, forms]) => {
      const forEnglish = expected.get(key);
      return forEnglish === undefined
        ? [`${key} is not in en.json`]
        : problemsOfForms(forms, forEnglish, language).map((problem) => `${key} ${problem}`);
    }),
  ];
}
