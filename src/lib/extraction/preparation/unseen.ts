import { attribute, type DomElement } from '../dom.js';

/** Matches classes with which style libraries show an element only on paper. */
const ON_PAPER =
  /(?:^|\s)(?:print-?only|only-?print|(?:u-)?print-?visible|visible-?print(?:-\w+)?|show-for-print|screen-?hidden|hidden-?screen)(?:$|\s)|(?:^|\s)(?:d-none|hidden)\s(?:\S+\s)*(?:d-print-|print:)(?!none|hidden)\w/iu;
/** Matches classes with which style libraries show an element only to screen readers. */
const FOR_SCREEN_READERS =
  /(?:^|\s)(?:(?:u-|gl-|is-|a11y-|cdk-|govuk-|wp-)?(?:sr-only|visually-?hidden|screen-?reader(?:-?(?:text|only|response))?|visuallyhidden|element-invisible|element-hidden|assistive-text|show-for-sr))(?:$|\s)/iu;
/** Elements that are meaningful even if only screen readers show them: names of sections, and the data of a drawing. */
const MEANINGFUL: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 table caption math input'.split(' '),
);

/** Returns true if the screen never shows an element, because it is a copy for paper or for screen readers. */
export function isUnseen(element: DomElement): boolean {
  const classes = attribute(element, 'class');
  return (
    classes !== '' &&
    (ON_PAPER.test(classes) ||
      (FOR_SCREEN_READERS.test(classes) &&
        !MEANINGFUL.has(element.localName) &&
        element.querySelector('h1, h2, table, math, p, img') === null))
  );
}
