import { applyAction } from '../actions/action.handlers.js';
import type { Action } from '../actions/action.js';
import { parseAction } from '../actions/action.parser.js';
import { ListSlice } from './list-slice.js';
import { SliceItem } from './slice-item.js';
import { SliceItems } from './slice-items.js';

afterEach(() => jest.restoreAllMocks());

describe('the tags of a large batch', () => {
  it('are renamed and deleted where they are, without a look at all items', () => {
    const list = new ListSlice({ items: [], tombstones: [], tags: [] }, 1000);
    const done = (sent: object): boolean => applyAction(list, parseAction(sent) as Action).ok;
    const tags = Array.from({ length: 50 }, (_, n) => `tag ${n}`).join(',');
    for (let n = 0; n < 200; n += 1) {
      done({ action: 'add', url: `https://example.com/${n}`, tags });
    }
    done({ action: 'tags_replace', url: 'https://example.com/0', tags: 'one 0' });
    const looks = jest.spyOn(SliceItems.prototype, 'all');
    const changes = jest.spyOn(SliceItem.prototype, 'retag');

    for (let n = 0; n < 200; n += 1) {
      expect(done({ action: 'tag_delete', tag: 'none' })).toBe(true);
      const renamed = { action: 'tag_rename', old_tag: `one ${n}`, new_tag: `one ${n + 1}` };
      expect(done(renamed)).toBe(true);
    }

    expect(looks).not.toHaveBeenCalled();
    expect(changes).toHaveBeenCalledTimes(200);
  });
});
