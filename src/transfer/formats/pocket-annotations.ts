import { jsonFormat, noFacts } from './json/json-format.js';
import { annotationOf } from './pocket-api.js';
import { itemFrom } from './values/item-from.js';
import { listOf, membersOf, textOf } from './values/read-value.js';

/** `annotations/part_000000.json` of Pocket's export: pages with what was marked in them, and nothing else. */
export const pocketAnnotations = jsonFormat({
  name: 'pocket-annotations',
  matches: (head) => head.hasPaths('[].highlights', '[].url') || /^\s*\[\s*\]\s*$/.test(head.text),
  rowPaths: ['[]'],
  factsOf: noFacts,
  itemOf: (members) =>
    itemFrom({
      url: textOf(members.get('url')),
      title: textOf(members.get('title')),
      annotations: listOf(members.get('highlights')).map((one) => annotationOf(membersOf(one))),
    }),
});
