/** What the original's apps report about their use. It succeeds and changes nothing (docs/decisions/0017). */
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

export const isIgnoredAction = (name: string): boolean =>
  IGNORED.has(name) || IGNORED_FAMILY.test(name);
