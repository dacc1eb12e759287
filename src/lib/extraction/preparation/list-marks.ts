import { attribute, type DomElement, isElement, isText } from '../dom.js';

const TASK = /(?:^|[\s_-])(?:task|todo|to-do|checklist)(?:$|[\s_-])/iu;

/**
 * Replaces the checkbox of a task in a list with a character. A checkbox that the user can set outside of a list of
 * tasks belongs to a form.
 */
export function writeTask(box: DomElement): void {
  const item = box.closest('li, .to-do, .checklist');
  const isTask =
    item !== null &&
    (box.hasAttribute('disabled') ||
      TASK.test(`${attribute(item, 'class')} ${attribute(box, 'class')}`) ||
      (item.parentElement !== null && TASK.test(attribute(item.parentElement, 'class'))));
  if (isTask) {
    box.replaceWith(isDone(box) ? '☑ ' : '☐ ');
  }
}

const isDone = (box: DomElement): boolean =>
  box.hasAttribute('checked') ||
  attribute(box, 'aria-checked') === 'true' ||
  /(?:^|[\s_-])(?:checkbox-on|checked|done)(?:$|[\s_-])/iu.test(attribute(box, 'class'));

/** Returns true if an element is a checkbox, or an element that is shown as one. */
export const isCheckbox = (element: DomElement): boolean =>
  (element.localName === 'input' && attribute(element, 'type').toLowerCase() === 'checkbox') ||
  attribute(element, 'role') === 'checkbox' ||
  (element.localName === 'div' && /^checkbox checkbox-o/u.test(attribute(element, 'class')));

const VERSE = /(?:^|[\s_-])(?:line|verse|stich|vers)(?:$|[\s_-])/iu;
const LEAST_LINES = 2;

/**
 * Ends each line of a verse with a line break, if the lines are `<span>` elements that a style shows as blocks. The
 * spans are all of the parent's content, so that a highlighted word in a sentence never ends a line.
 */
export function breakLines(first: DomElement): void {
  const parent = first.parentElement;
  const lines = parent === null || first.previousElementSibling !== null ? [] : linesIn(parent);
  if (lines.length >= LEAST_LINES) {
    for (const line of lines.slice(0, -1)) {
      if (line.nextElementSibling?.localName !== 'br') {
        line.after(line.ownerDocument.createElement('br'));
      }
    }
  }
}

/** Returns true if an element may be a line that a style shows as a block. */
export const isShownAsLine = (element: DomElement): boolean =>
  element.localName === 'span' &&
  (element.hasAttribute('data-block') || VERSE.test(attribute(element, 'class')));

function linesIn(parent: DomElement): DomElement[] {
  const lines: DomElement[] = [];
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if (isElement(node) && isShownAsLine(node)) {
      lines.push(node);
    } else if (isElement(node) ? node.localName !== 'br' : isWord(node)) {
      return [];
    }
  }
  return lines;
}

const isWord = (node: Parameters<typeof isText>[0]): boolean =>
  isText(node) && /\S/u.test(node.textContent ?? '');
