import { type ActionOutcome, DONE, Refusal, refused } from '../list/action-outcome.js';
import type { Action, ActionParameters, OnItem, OnItemWithTags, SentActionName } from './action.js';
import { RawAction, readAnnotation, readAnnotationId } from './raw-action.js';

/** The result of parsing one element of the parameter `actions`. */
export type ParsedAction = Action | 'ignored' | Refusal;

type Parser<Parameters> = (raw: RawAction) => Parameters | Refusal;

const onItem: Parser<OnItem> = (raw) => given(raw.item(), (item) => ({ item }));
const onItemWithTags: Parser<OnItemWithTags> = (raw) =>
  given(raw.item(), (item) => given(raw.tags(), (tags) => ({ item, tags })));

const PARSERS: { readonly [N in SentActionName]: Parser<ActionParameters[N]> } = {
  add: (raw) =>
    given(raw.itemToAdd(), (item) =>
      given(raw.tagsOrNone(), (tags) =>
        given(raw.title(), (title) => ({ item, tags, title, prefersGivenTitle: true })),
      ),
    ),
  archive: onItem,
  readd: onItem,
  favorite: onItem,
  unfavorite: onItem,
  delete: onItem,
  undo_archive: onItem,
  undo_delete: onItem,
  tags_add: onItemWithTags,
  tags_remove: onItemWithTags,
  tags_replace: (raw) =>
    given(raw.item(), (item) => given(raw.tagsEvenEmpty(), (tags) => ({ item, tags }))),
  tags_clear: onItem,
  tag_rename: (raw) =>
    given(raw.tag('old_tag'), (oldTag) =>
      given(raw.tag('new_tag'), (newTag) => ({ oldTag, newTag })),
    ),
  tag_delete: (raw) => given(raw.tag('tag'), (tag) => ({ tag })),
  add_annotation: (raw) =>
    given(raw.item(), (item) =>
      given(readAnnotation(raw.field('annotation')), (annotation) => ({ item, annotation })),
    ),
  delete_annotation: (raw) =>
    given(readAnnotationId(raw.field('annotation_id')), (annotationId) => ({ annotationId })),
  set_note: (raw) => given(raw.item(), (item) => given(raw.note(), (note) => ({ item, note }))),
};

const ALIASES: ReadonlyMap<unknown, SentActionName> = new Map([['tags_rename', 'tag_rename']]);

/**
 * Parses one element of `actions`. Returns an error instead of throwing it, because the other elements are still
 * applied.
 */
export function parseAction(value: unknown): ParsedAction {
  const raw = RawAction.from(value);
  const sent = raw?.field('action');
  const name = ALIASES.get(sent) ?? sent;
  if (raw === undefined || typeof name !== 'string') {
    return Refusal.unnamedAction();
  }
  if (isActionName(name)) {
    return parsed(name, raw);
  }
  return isIgnoredAction(name) ? 'ignored' : Refusal.unknownAction(name);
}

/** Returns true for the name of an action. Ignores inherited properties such as `constructor`. */
const isActionName = (name: string): name is SentActionName => Object.hasOwn(PARSERS, name);

function parsed<N extends SentActionName>(action: N, raw: RawAction): Action<N> | Refusal {
  return given(PARSERS[action](raw), (parameters) =>
    given(raw.time(), (time) => ({ action, time, ...parameters })),
  );
}

/** Returns `next(value)`. If the value is a refusal, returns the refusal instead. */
const given = <T, R>(value: T | Refusal, next: (value: T) => R | Refusal): R | Refusal =>
  value instanceof Refusal ? value : next(value);

/**
 * Actions with which Pocket's apps report how they are used. Satchel accepts and ignores these
 * actions (docs/decisions/0017).
 */
const IGNORED = new Set([
  'feed_item_impression',
  'highlights_impression',
  'item_impression',
  'item_session_continue',
  'item_session_end',
  'item_session_pause',
  'item_session_start',
  'left_item',
  'list_item_impression',
  'opened_app',
  'opened_article',
  'opened_image',
  'opened_item',
  'opened_video',
  'opened_web',
  'pause_listen',
  'pmc',
  'pmp',
  'pmv',
  'pv',
  'pv_ab',
  'pv_wt',
  'recent_search',
  'refresh_library',
  'scrolled',
  'search',
  'start_listen',
  'stop_listen',
]);
const IGNORED_FAMILY = /^(?:notification|sp_impression|tpa)_/;

const isIgnoredAction = (name: string): boolean => IGNORED.has(name) || IGNORED_FAMILY.test(name);

/**
 * Returns the outcome of an action in a call without a user. Usage reports of Pocket's apps are
 * accepted, and all other actions are refused.
 */
export function outcomeOfReport(value: unknown): ActionOutcome {
  const name = RawAction.from(value)?.field('action');
  if (typeof name !== 'string') {
    return refused(Refusal.unnamedAction());
  }
  return isIgnoredAction(name) ? DONE : refused(Refusal.unknownAction(name));
}
