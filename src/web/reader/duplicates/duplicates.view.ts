import { type Message, message } from '../../../platform/i18n/message.js';
import type {
  DuplicateKind,
  GroupPlace,
} from '../../../reading-list/duplicates/duplicate.repository.js';
import type { DuplicateGroup } from '../../../reading-list/duplicates/find-duplicates.service.js';
import type { Item } from '../../../reading-list/entities/item.entity.js';
import { hrefOf } from '../../../reading-list/list/address.js';
import { shownTitle } from '../../../reading-list/list/item-texts.js';
import { Template } from '../../template.js';
import type { DoneNotice } from '../done-notice.js';
import type { ChoiceLink } from '../list/list-links.js';
import type { ReaderPage } from '../reader-page.js';

/** An item of a group, as the page shows it. */
interface DuplicateCard {
  readonly id: string;
  readonly address: string;
  /** The link to the original page. Undefined if a browser should not open the address. */
  readonly originalHref: string | undefined;
  readonly savedAt: Date;
  readonly tags: readonly string[];
  readonly isArchived: boolean;
  readonly isFavorite: boolean;
  readonly hasNote: boolean;
  readonly highlights: number;
  /** True for the item that stays if the user selects no other item. */
  readonly isSelected: boolean;
}

interface GroupCard {
  readonly title: string;
  readonly items: readonly DuplicateCard[];
  /** The ids of the items, separated by commas. The first one is the id of the selected item. */
  readonly ids: string;
}

interface DuplicatesModel extends ReaderPage {
  readonly kinds: readonly ChoiceLink[];
  readonly about: Message;
  readonly done: DoneNotice | undefined;
  /** The address of this page, to which its forms redirect. */
  readonly path: string;
  readonly groups: readonly GroupCard[];
  /** True if the page offers to merge all its groups. */
  readonly canMergeAll: boolean;
  readonly firstHref: string | undefined;
  /** The page has no link to the previous page. */
  readonly previousHref: undefined;
  readonly nextHref: string | undefined;
}

export const duplicatesPage = new Template<DuplicatesModel>('reader/duplicates/duplicates', {
  kind: 'reader',
});

interface PageOfGroups {
  readonly kind: DuplicateKind;
  readonly after: GroupPlace | undefined;
  readonly groups: readonly DuplicateGroup[];
  /** The last group of the page. Undefined if no groups follow. */
  readonly last: GroupPlace | undefined;
}

export function duplicatesPath(kind: DuplicateKind, after?: GroupPlace): string {
  const query = new URLSearchParams({
    ...(kind === 'likely' && { kind }),
    ...(after !== undefined && { after: `${after.newest}_${after.key}` }),
  }).toString();
  return query === '' ? '/list/duplicates' : `/list/duplicates?${query}`;
}

const KINDS: readonly (readonly [kind: DuplicateKind, label: Message, about: Message])[] = [
  ['certain', message('duplicates.certain.title'), message('duplicates.certain.about')],
  ['likely', message('duplicates.likely.title'), message('duplicates.likely.about')],
];

export function duplicatesModel(
  { kind, after, groups, last }: PageOfGroups,
  done: DoneNotice | undefined,
): DuplicatesModel {
  return {
    section: 'list',
    kinds: KINDS.map(([one, label]) => ({
      href: duplicatesPath(one),
      label,
      isCurrent: one === kind,
    })),
    about: KINDS.find(([one]) => one === kind)?.[2] ?? message('duplicates.certain.about'),
    done,
    path: duplicatesPath(kind, after),
    groups: groups.map(groupCard),
    canMergeAll: kind === 'certain' && groups.length > 1,
    firstHref: after && duplicatesPath(kind),
    previousHref: undefined,
    nextHref: last && duplicatesPath(kind, last),
  };
}

function groupCard({ items, highlights }: DuplicateGroup): GroupCard {
  const selected = preselected({ items, highlights });
  const others = items.filter((item) => item !== selected);
  return {
    title: selected === undefined ? '' : shownTitle(selected),
    items: items.map((item) => cardOf(item, highlights.get(item.itemId) ?? 0, item === selected)),
    ids: [selected, ...others].map((item) => item?.itemId).join(','),
  };
}

/** Returns the item with the most highlights, else the first one with a note, else the earliest one. */
function preselected({ items, highlights }: DuplicateGroup): Item | undefined {
  const weightOf = ({ itemId, note }: Item): number =>
    2 * (highlights.get(itemId) ?? 0) + (note === '' ? 0 : 1);
  return items.toSorted((one, other) => weightOf(other) - weightOf(one)).at(0);
}

const MS = 1000;

const cardOf = (item: Item, highlights: number, isSelected: boolean): DuplicateCard => ({
  id: item.itemId,
  address: item.givenUrl,
  originalHref: hrefOf(item.givenUrl),
  savedAt: new Date(Number(item.timeAdded) * MS),
  tags: item.tags,
  isArchived: item.status === 1,
  isFavorite: item.favorite === 1,
  hasNote: item.note !== '',
  highlights,
  isSelected,
});
