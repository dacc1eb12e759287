import { defined } from '../../util/defined.js';
import type { AnnotationToImport } from '../format.js';
import { itemFrom } from '../reading/item-from.js';
import { jsonFormat, noContext } from '../reading/json-format.js';
import type { Members } from '../reading/members.js';
import {
  firstText,
  flagOf,
  joinTexts,
  listOf,
  membersOf,
  secondsOf,
  tagsOf,
  textOf,
} from '../reading/read-value.js';

/** The format of GoodLinks's export. A page with a time in `readAt` is archived. */
export const goodlinks = jsonFormat({
  name: 'goodlinks',
  recognitions: [{ has: ['[].url', '[].addedAt', ['[].starred', '[].tags', '[].title']] }],
  leftOut: {
    page: ['summary', 'author', 'preview', 'wordCount', 'content', 'videoDuration'],
    id: ['id', 'highlights.[].id', 'highlights.[].linkId'],
    setting: ['highlights.[].color', 'readProgress'],
    repeated: ['originalURL', 'highlightTotal'],
  },
  rowPaths: ['[]'],
  contextOf: noContext,
  itemOf: (members) => {
    const timeRead = secondsOf(members.get('readAt'));
    return itemFrom({
      url: textOf(members.get('url')),
      title: textOf(members.get('title')),
      tags: tagsOf(members.get('tags'), 'name'),
      status: timeRead === undefined ? 0 : 1,
      favorite: members.meaning('starred', flagOf),
      timeAdded: secondsOf(members.get('addedAt')),
      timeUpdated: secondsOf(members.get('modifiedAt')),
      timeRead,
      annotations: listOf(members.get('highlights')).map((one) => highlightFrom(membersOf(one))),
      note: joinTexts(textOf(members.get('note')), textOf(members.get('notes'))),
    });
  },
});

const highlightFrom = (members: Members): AnnotationToImport =>
  defined<AnnotationToImport>({
    quote: firstText(members, 'content', 'text', 'quote'),
    note: textOf(members.get('note')) || undefined,
    createdAt: secondsOf(members.get('addedAt') ?? members.get('time')),
  });
