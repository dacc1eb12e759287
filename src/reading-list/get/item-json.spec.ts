import { anItemRow } from '../../../test/support/an-item-row.js';
import { COMPLETE } from './get.request.js';
import { PresentedItem } from './item.presenter.js';
import { itemJson } from './item-json.js';

const row = anItemRow({ item_id: '4503599627370496', given_url: 'http://example.com' });
const shown = { row, sortId: 1, shows: COMPLETE };
const other = { ...shown, shows: { ...COMPLETE, tags: false } };

describe('itemJson', () => {
  it('keeps the JSON of a row only for the latest details', () => {
    const expected = JSON.stringify(new PresentedItem(shown));
    itemJson(shown);
    const stringify = jest.spyOn(JSON, 'stringify');
    const written = (one: typeof shown): number => {
      stringify.mockClear();
      itemJson(one);
      return stringify.mock.calls.filter(([value]) => value instanceof PresentedItem).length;
    };

    const counts = [shown, other, other, shown].map(written);
    stringify.mockRestore();

    expect(counts).toEqual([0, 1, 0, 1]);
    expect(itemJson(shown)).toBe(expected);
  });
});
