import { documentWords } from './document-words.js';
import { ENTRY_TEXTS, type FeedFields } from './feed.js';
import { markupText } from './markup-text.js';

/** The words of the titles and texts of entries, without their markup. */
export const wordsOfEntries = (entries: readonly FeedFields[]): number =>
  documentWords(entries.flatMap(textsOf).map(markupText).join('\n'));

const textsOf = (entry: FeedFields): string[] => [
  entry.get('title') ?? '',
  ENTRY_TEXTS.map((name) => entry.get(name) ?? '').find((text) => text.trim() !== '') ?? '',
];
