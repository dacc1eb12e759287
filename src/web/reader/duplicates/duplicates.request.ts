import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { choiceReader, type Reader, Unreadable } from '../../../pocket-api/param-readers.js';
import { CustomParam } from '../../../pocket-api/params.js';
import type {
  DuplicateKind,
  GroupPlace,
} from '../../../reading-list/duplicates/duplicate.repository.js';
import { LOCAL, localUrl } from '../../local-path.js';
import { textsOf } from '../list/list-actions.request.js';

/** The number of groups on one page. One form merges at most as many groups. */
export const GROUPS_ON_PAGE = 20;
/** The maximum number of items in a group. */
const MOST_ITEMS_IN_GROUP = 20;

const PLACE = /^(\d{1,19})_(-?\d{1,19})$/;

const isBigint = (text: string): boolean => BigInt.asIntN(64, BigInt(text)) === BigInt(text);

const readPlace: Reader<GroupPlace> = (value) => {
  const [, newest, key] = typeof value === 'string' ? (PLACE.exec(value) ?? []) : [];
  return newest !== undefined && key !== undefined && isBigint(newest) && isBigint(key)
    ? { newest, key }
    : new Unreadable('must be a position among the duplicates');
};

/** The query parameters of the page: the kind of the groups, and the group after which the page begins. */
export class DuplicatesRequest {
  @CustomParam(choiceReader<DuplicateKind>({ certain: 'certain', likely: 'likely' }))
  kind?: DuplicateKind;

  @CustomParam(readPlace)
  after?: GroupPlace;
}

/** The items of a group, and which one of them stays in the list. */
export interface GroupToMerge {
  readonly keptId: string;
  readonly otherIds: readonly string[];
}

interface MergeForm {
  readonly groups: readonly GroupToMerge[];
  readonly back: URL;
}

/**
 * Parses a form that merges one group (`keep` and `item[]`), or several groups. Each field `group[]` contains the ids of
 * a group, separated by commas, and first the id of the item that stays.
 * @throws ValidationFailedError if a group is invalid
 */
export function mergeFormOf(body: unknown): MergeForm {
  const several = textsOf(body, 'group').map((text) => text.split(','));
  const kept = textOf(body, 'keep');
  const single = [kept, ...textsOf(body, 'item').filter((id) => id !== kept)];
  const groups = several.length > 0 ? several : [single];
  if (groups.length > GROUPS_ON_PAGE || !groups.every(isGroup)) {
    throw new ValidationFailedError([fieldProblem('item', 'must be the ids of duplicates')]);
  }
  return {
    groups: groups.map(([keptId = '', ...otherIds]) => ({ keptId, otherIds })),
    back: localUrl(textOf(body, 'back')) ?? DUPLICATES,
  };
}

const isGroup = (ids: readonly string[]): boolean =>
  ids.length > 1 &&
  ids.length <= MOST_ITEMS_IN_GROUP &&
  new Set(ids).size === ids.length &&
  ids.every(isId);

const DUPLICATES = new URL('/list/duplicates', LOCAL);
