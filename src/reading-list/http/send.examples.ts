import type { CallExample } from '../../common/openapi/operation.js';

const RFC = '8820866062756984';
const IANA = '5952284834408592';

const done = (actions: number): object => ({
  status: 1,
  action_results: Array<boolean>(actions).fill(true),
  action_errors: Array<null>(actions).fill(null),
});

/** Calls of send, on a list of two items. */
export const SEND_EXAMPLES: Readonly<Record<string, CallExample>> = {
  items: {
    summary: 'What can be done to an item',
    body: {
      actions: [
        { action: 'add', url: 'https://www.w3.org/TR/webarch/', tags: 'web', title: 'Web' },
        { action: 'archive', item_id: RFC, time: 1763800000 },
        { action: 'readd', item_id: Number(RFC) },
        { action: 'undo_archive', item_id: RFC },
        { action: 'unfavorite', item_id: RFC },
        { action: 'favorite', url: 'https://www.iana.org/help/example-domains' },
        { action: 'delete', item_id: IANA },
      ],
    },
    answer: done(7),
  },
  tags: {
    summary: 'What can be done to tags',
    body: {
      actions: [
        { action: 'tags_add', item_id: IANA, tags: 'domains, examples' },
        { action: 'tags_remove', item_id: RFC, tags: ['standards'] },
        { action: 'tag_rename', old_tag: 'http', new_tag: 'protocols' },
        { action: 'tag_delete', tag: 'examples' },
        { action: 'tags_replace', item_id: RFC, tags: 'web' },
        { action: 'tags_clear', item_id: IANA },
      ],
    },
    answer: done(6),
  },
  refused: {
    summary: 'One action succeeds, three fail',
    body: {
      actions: [
        { action: 'favorite', item_id: IANA },
        { action: 'archive', item_id: '1' },
        { action: 'undo_delete', item_id: '7756775858943697' },
        { action: 'shelve', item_id: RFC },
      ],
    },
    answer: {
      status: 0,
      action_results: [true, false, false, false],
      action_errors: [
        null,
        ...Array<object>(2).fill({
          message: 'Error - Not Found: SavedItem does not exist',
          type: 'Internal Server Error',
          code: 198,
        }),
        { message: "Invalid Action: 'shelve'", type: 'Bad request', code: 130 },
      ],
    },
  },
  wrong: { summary: 'No actions', body: {}, status: 400 },
};
