import { attribute, type DomElement, eachElement, labelOf, squeezed, startOf } from '../dom.js';
import { type Measure, measurer } from '../text/prose.js';

/** Matches the names of elements that are no part of a text even while they are shown. */
const OUTSIDE =
  /(?:^|[\s_-])(?:modal|dialog|pop-?up|consent|cookies?|overlay|lightbox|gdpr|menu|nav|navbar|navigation|drawer|search|login|cart|share|sharing|social|newsletter|subscribe|signup|sign-up|comments?|respond|tooltip|dropdown|popover|toast|banner|ads?|promo|cloned|clone|duplicate|loading|skeleton|preloader|error|success)(?:$|[\s_-])/iu;
const OUTSIDE_TAGS: ReadonlySet<string> = new Set('nav form dialog menu template'.split(' '));
const OUTSIDE_ROLE = /dialog|^(?:menu|menubar|navigation|search)$/u;
/** Matches the names of elements whose text a reader shows with a click. */
const OPENED =
  /(?:^|[\s_-])(?:tab-?(?:pane|panel|content|body|item)s?|tabs?|accordion(?:-?\w+)?|collaps\w*|expand\w*|panel(?:-?\w+)?|slides?|carousel-?(?:item|cell)|swiper-slide|faqs?(?:-?\w+)?|answer|toggle(?:-?\w+)?|more(?:-?\w+)?|read-?more(?:-?\w+)?|full-?text|spoilers?|transcript|hidden-?(?:text|content))(?:$|[\s_-])/iu;
const LEAST_TEXT = 20;
const MOST_LINKED = 0.5;
const LONGEST_COMPARED = 500;
const FIELDS = 'input, textarea, select';
const TEXTS: ReadonlySet<string> = new Set('p blockquote h2 h3 h4 h5 h6 table pre dl'.split(' '));
const BOXES: ReadonlySet<string> = new Set(['div', 'section', 'li', 'figure']);
const INLINE: ReadonlySet<string> = new Set('span b strong em sup sub abbr time'.split(' '));
const SENTENCES: ReadonlySet<string> = new Set('p li td dd blockquote'.split(' '));
/** Matches the names of elements whose text is the name of a picture in a font. */
const ICON = /icon|glyph|symbol|material|emoji|(?:^|\s)(?:mi|fa[a-z]?|bi|ri|la[sbr]?)(?:$|[\s-])/iu;
const ICON_NAME = /^\s*[a-z]+(?:_[a-z\d]+)+\s*$/u;

/**
 * Shows the parts of a text that the page hides only for now: tabs, slides, and the text below a button such as "Read
 * more". Also shows text that is hidden only from screen readers.
 */
export function reveal(body: DomElement, controls: ReadonlySet<string>): void {
  const measured = measurer();
  const forms = aroundFields(body);
  eachElement(body, (element) => {
    if (isOutside(element)) {
      return false;
    }
    if (forms.has(element)) {
      return !element.hasAttribute('hidden');
    }
    if (element.hasAttribute('hidden') || isOnlyUnheard(element)) {
      const least = leastText(element, controls);
      if (least !== undefined && isText(element, measured(element), least)) {
        show(element);
      }
    }
    return !element.hasAttribute('hidden');
  });
}

/** Returns the minimum length of the text for which an element is shown. Returns undefined if it stays hidden. */
function leastText(element: DomElement, controls: ReadonlySet<string>): number | undefined {
  if (element.hasAttribute('hidden') ? isControlled(element, controls) : isInline(element)) {
    return 1;
  }
  return !element.hasAttribute('hidden') || isOpened(element) ? LEAST_TEXT : undefined;
}

const isOutside = (element: DomElement): boolean =>
  OUTSIDE_TAGS.has(element.localName) ||
  OUTSIDE_ROLE.test(attribute(element, 'role')) ||
  attribute(element, 'aria-modal') === 'true';

/** Returns the elements that contain a field for text or a choice. A checkbox may belong to a list of tasks. */
function aroundFields(body: DomElement): ReadonlySet<DomElement> {
  const around = new Set<DomElement>();
  for (const field of body.querySelectorAll(FIELDS)) {
    let at = /^(?:checkbox|radio)$/iu.test(attribute(field, 'type')) ? null : field;
    for (; at && !around.has(at); at = at.parentElement) {
      around.add(at);
    }
  }
  return around;
}

function show(element: DomElement): void {
  element.removeAttribute('hidden');
  element.removeAttribute('aria-hidden');
}

/** Returns true if a tab or button of the page refers to an element. */
const isControlled = (element: DomElement, controls: ReadonlySet<string>): boolean =>
  attribute(element, 'role') === 'tabpanel' || controls.has(attribute(element, 'id'));

/**
 * Returns true for words inside a sentence. Sites hide them from screen readers if they also have a text for screen
 * readers, such as "four pounds" for "£4".
 */
const isInline = (element: DomElement): boolean =>
  INLINE.has(element.localName) &&
  SENTENCES.has(element.parentElement?.localName ?? '') &&
  !ICON.test(labelOf(element)) &&
  !ICON_NAME.test(startOf(element, LONGEST_COMPARED)) &&
  /[\p{L}\p{N}]/u.test(startOf(element, LONGEST_COMPARED));

/** Returns true if a click probably shows a hidden element. */
const isOpened = (element: DomElement): boolean =>
  OPENED.test(labelOf(element)) || isBelowButton(element);

/**
 * Returns true if an element is hidden from screen readers but probably not from eyes. Other boxes with this attribute
 * are mostly menus and dialogs that a class hides.
 */
const isOnlyUnheard = (element: DomElement): boolean =>
  attribute(element, 'aria-hidden') === 'true' &&
  (TEXTS.has(element.localName) ||
    isInline(element) ||
    (BOXES.has(element.localName) && OPENED.test(labelOf(element))));

function isBelowButton({ previousElementSibling: before }: DomElement): boolean {
  return (
    before !== null &&
    (before.localName === 'button' ||
      before.hasAttribute('aria-expanded') ||
      attribute(before, 'role') === 'button' ||
      before.querySelector('button, [aria-expanded], [role="button"]') !== null)
  );
}

/** Returns true if an element contains text that is not a menu, a form, or a copy of the text beside it. */
const isText = (element: DomElement, { length, linked }: Measure, least: number): boolean =>
  length - linked >= least &&
  linked <= MOST_LINKED * length &&
  !OUTSIDE.test(labelOf(element)) &&
  !isCopy(element);

function isCopy(element: DomElement): boolean {
  const text = startOf(element, LONGEST_COMPARED);
  return [element.previousElementSibling, element.nextElementSibling].some(
    (other) => other !== null && squeezed(startOf(other, LONGEST_COMPARED)) === squeezed(text),
  );
}

const CONTROLS = ['aria-controls', 'data-target', 'data-bs-target'];

/** Returns the ids of the elements that a control of an element shows. */
export function controlledBy(element: DomElement): readonly string[] {
  const names = CONTROLS.filter((name) => element.hasAttribute(name));
  if (element.localName === 'a' && isTab(element)) {
    names.push('href');
  }
  // Most elements control nothing.
  return names.length === 0 ? NOTHING : names.flatMap((name) => idsIn(attribute(element, name)));
}

const NOTHING: readonly string[] = [];

const isTab = (element: DomElement): boolean =>
  attribute(element, 'role') === 'tab' ||
  element.hasAttribute('data-toggle') ||
  element.hasAttribute('data-bs-toggle');

const idsIn = (value: string): string[] =>
  value
    .split(/\s+/u)
    .map((id) => id.replace(/^[#.]/u, ''))
    .filter((id) => id !== '');
