/** Elements that cannot have content. */
export const VOID: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Elements that go with all that is in them; nothing of it is read by a person. */
export const SKIPPED: ReadonlySet<string> = new Set(
  'script style svg template select textarea datalist canvas noframes noembed xmp math dialog'.split(
    ' ',
  ),
);

/** Tags that go, and leave what is in them: the document gets its own. */
export const UNWRAPPED: ReadonlySet<string> = new Set(['html', 'head', 'body', 'frameset']);

/** Whoever forgets to close one of the skipped elements goes on with one of these. */
export const RESUMING: ReadonlySet<string> = new Set(
  'p div h1 h2 h3 section article main body ul table footer'.split(' '),
);

/** A new one closes the last one of these, where it is the innermost. */
export const IMPLIED_END: Readonly<Record<string, ReadonlySet<string>>> = {
  li: new Set(['li']),
  dt: new Set(['dt', 'dd']),
  dd: new Set(['dt', 'dd']),
  tr: new Set(['tr', 'th', 'td']),
  td: new Set(['td', 'th']),
  th: new Set(['td', 'th']),
  p: new Set(['p']),
  div: new Set(['p']),
  ul: new Set(['p']),
  ol: new Set(['p']),
  table: new Set(['p']),
  option: new Set(['option']),
};

/** What extraction reads; all other attributes are weight. */
export const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'id class href src srcset alt title rel itemprop itemscope itemtype content datetime lang dir role ' +
    'aria-hidden aria-modal type width height poster colspan rowspan start reversed value cite name property data-src ' +
    'data-srcset data-original data-lazy-src data-lazy-srcset data-orig-file data-hi-res-src data-full-url data-url data-image ' +
    'data-video-id data-videoid data-account data-player data-embed-url data-youtube-id data-date data-time data-timestamp data-datetime hidden'
  ).split(' '),
);
