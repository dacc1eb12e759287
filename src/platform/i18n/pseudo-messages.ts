import type { MessageTree } from './message-tree.js';

/** Matches the parts of a message that a translation keeps: values, tags and texts without letters. */
const KEPT = /(\{\{\w+\}\}|<\/?\w+\/?>|[^A-Za-z]+)/;
const LETTERS: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú' };
/** Translations can be about 40 % longer than the English text. */
const GROWTH = 0.4;

/** Returns `[Sávé pages ~~~~]` for `Save pages`. The brackets show where a text begins and ends. */
function pseudoText(text: string): string {
  const parts = text.split(KEPT);
  const shown = parts.map((part, place) =>
    place % 2 === 0 ? part.replaceAll(/[aeiou]/g, (letter) => LETTERS[letter] ?? letter) : part,
  );
  const letters = parts.filter((_, place) => place % 2 === 0).join('').length;
  return letters === 0 ? text : `[${shown.join('')}${'~'.repeat(Math.ceil(letters * GROWTH))}]`;
}

/** Converts English messages to messages of the pseudo-language, which are longer and marked. */
export const pseudoMessages = (messages: MessageTree): MessageTree =>
  Object.fromEntries(
    Object.entries(messages).map(([name, value]) => [
      name,
      typeof value === 'string' ? pseudoText(value) : pseudoMessages(value),
    ]),
  );
