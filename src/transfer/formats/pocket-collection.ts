import { jsonFormat, partsOf } from './json/json-format.js';
import { JsonFault } from './json/json-parts.js';
import type { Source } from './source.js';
import { itemFrom } from './values/item-from.js';
import { noteOf, textOf } from './values/read-value.js';

/** `collections/<slug>.json` of Pocket's export: its pages get its title as a tag. */
export const pocketCollection = jsonFormat({
  name: 'pocket-collection',
  matches: (head) => head.hasPaths('slug', 'title', 'items'),
  rowPaths: ['items.[]'],
  factsOf: titleOf,
  itemOf: (members, title) =>
    itemFrom({
      url: textOf(members.get('url')),
      title: textOf(members.get('title')),
      tags: [title],
      annotations: noteOf(members.get('note')),
    }),
});

async function titleOf(source: Source): Promise<string> {
  for await (const [title] of partsOf(source, ['title'])) {
    if (title !== undefined && !(title instanceof JsonFault)) {
      return textOf(title.value);
    }
  }
  return '';
}
