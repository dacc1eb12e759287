import { Refusal } from '../list/outcome.js';
import type { Action, ActionName, ActionParameters, OnItem, OnItemWithTags } from './action.js';
import { readAnnotation, readAnnotationId } from './annotation-reader.js';
import { isIgnoredAction } from './ignored-actions.js';
import { RawAction } from './raw-action.js';

/** What an element of `actions` turned out to be. */
export type ParsedAction = Action | 'ignored' | Refusal;

type Parser<Parameters> = (raw: RawAction) => Parameters | Refusal;

const onItem: Parser<OnItem> = (raw) => given(raw.item(), (item) => ({ item }));
const onItemWithTags: Parser<OnItemWithTags> = (raw) =>
  given(raw.item(), (item) => given(raw.tags(), (tags) => ({ item, tags })));

const PARSERS: { readonly [N in ActionName]: Parser<ActionParameters[N]> } = {
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
      given(readAnnotation(raw.member('annotation')), (annotation) => ({ item, annotation })),
    ),
  delete_annotation: (raw) =>
    given(readAnnotationId(raw.member('annotation_id')), (annotationId) => ({ annotationId })),
};

const ALIASES: ReadonlyMap<unknown, ActionName> = new Map([['tags_rename', 'tag_rename']]);

/** Reads one element of `actions`; what is wrong with it is a value, and concerns no other element. */
export function parseAction(value: unknown): ParsedAction {
  const raw = RawAction.from(value);
  const sent = raw?.member('action');
  const name = ALIASES.get(sent) ?? sent;
  if (raw === undefined || typeof name !== 'string') {
    return Refusal.unnamedAction();
  }
  if (isActionName(name)) {
    return parsed(name, raw);
  }
  return isIgnoredAction(name) ? 'ignored' : Refusal.unknownAction(name);
}

/** A plain look-up would find `constructor`. */
const isActionName = (name: string): name is ActionName => Object.hasOwn(PARSERS, name);

function parsed<N extends ActionName>(action: N, raw: RawAction): Action<N> | Refusal {
  return given(PARSERS[action](raw), (parameters) =>
    given(raw.time(), (time) => ({ action, time, ...parameters })),
  );
}

/** Goes on with what was read, unless it was refused. */
const given = <T, R>(value: T | Refusal, next: (value: T) => R | Refusal): R | Refusal =>
  value instanceof Refusal ? value : next(value);
