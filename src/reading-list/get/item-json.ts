import type { ItemRow } from '../entities/item.entity.js';
import type { ItemDetail } from './get.request.js';
import { PresentedItem, type ShownItem } from './item.presenter.js';

/** The JSON of an item before and after its position in the response. */
interface Parts {
  readonly before: string;
  readonly after: string;
}

interface KnownParts extends Parts {
  /** The details that the request asked for, as JSON. */
  readonly details: string;
}

/**
 * The parts of each row, which are dropped together with the row. Only the parts for the latest details are kept. With
 * the parts for all combinations of details, a row would need ten times its memory.
 */
const known = new WeakMap<ItemRow, KnownParts>();

const POSITION = ',"sort_id":';

/**
 * Returns an item of a response as JSON. The JSON of a row is reused if the next request asks for the same details,
 * unless the item has annotations or a passage, which are not in its row.
 */
export function itemJson(shown: ShownItem): string {
  if (shown.annotations !== undefined || shown.passage !== undefined) {
    return JSON.stringify(new PresentedItem(shown));
  }
  const { before, after } = partsOf(shown.row, shown.shows);
  return `${before}${POSITION}${shown.sortId}${after}`;
}

function partsOf(row: ItemRow, shows: ItemDetail): Parts {
  const details = JSON.stringify(shows);
  const kept = known.get(row);
  if (kept?.details === details) {
    return kept;
  }
  const parts = split(JSON.stringify(new PresentedItem({ row, sortId: 0, shows })));
  known.set(row, { details, ...parts });
  return parts;
}

/** Splits the JSON at the position of the item. Quotes in texts are escaped, so the first match is the field itself. */
function split(json: string): Parts {
  const at = json.indexOf(`${POSITION}0`);
  return { before: json.slice(0, at), after: json.slice(at + POSITION.length + 1) };
}
