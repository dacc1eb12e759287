import type { Action } from '../actions/action.js';
import { parseAction } from '../actions/action.parser.js';
import { applyAction } from '../actions/apply-actions.js';
import { ListUnitOfWork } from './list-unit-of-work.js';
import { TrackedItem, TrackedItems } from './tracked-items.js';

afterEach(() => jest.restoreAllMocks());

describe('the tags of a large batch', () => {
  it('are renamed and deleted where they are, without a look at all items', () => {
    const list = new ListUnitOfWork({ items: [], tombstones: [], tags: [] }, 1000);
    const done = (sent: object): boolean => applyAction(list, parseAction(sent) as Action).ok;
    const tags = Array.from({ length: 50 }, (_, n) => `tag ${n}`).join(',');
    for (let n = 0; n < 200; n += 1) {
      done({ action: 'add', url: `https://example.com/${n}`, tags });
    }
    done({ action: 'tags_replace', url: 'https://example.com/0', tags: 'one 0' });
    const looks = jest.spyOn(TrackedItems.prototype, 'all');
    const changes = jest.spyOn(TrackedItem.prototype, 'retag');

    for (let n = 0; n < 200; n += 1) {
      expect(done({ action: 'tag_delete', tag: 'none' })).toBe(true);
      const renamed = { action: 'tag_rename', old_tag: `one ${n}`, new_tag: `one ${n + 1}` };
      expect(done(renamed)).toBe(true);
    }

    expect(looks).not.toHaveBeenCalled();
    expect(changes).toHaveBeenCalledTimes(200);
  });
});
