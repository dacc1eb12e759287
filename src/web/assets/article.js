// The script of an article page. Without scripts, the same functions are available through forms and links.
import { SelectionMarks } from './article-marks.js';
import { ReadingPlace } from './article-place.js';
import { bindKeys } from './keys.js';

/**
 * Opens the note of a highlight that the user has clicked.
 * @param {EventTarget | null} target
 */
function leadToNote(target) {
  const words = target instanceof Element ? target.closest('a, mark[data-highlights]') : null;
  const [id] = words?.getAttribute('data-highlights')?.split(' ') ?? [];
  if (id !== undefined && getSelection()?.isCollapsed) {
    location.hash = `note-${id}`;
  }
}

const ERRORS_DO_NOT_BUBBLE = { capture: true };

/**
 * Replaces a picture that cannot be shown with its alternative text.
 * @param {EventTarget | null} picture
 */
function leaveOut(picture) {
  if (picture instanceof HTMLImageElement && !picture.hidden) {
    picture.hidden = true;
    picture.insertAdjacentText('afterend', picture.alt);
  }
}

/**
 * The actions of keys. A key clicks the control that declares this key.
 * @type {Record<string, () => void>}
 */
const keys = Object.fromEntries(
  [...document.querySelectorAll('[data-key]')]
    .filter((control) => control instanceof HTMLElement)
    .map((control) => [
      control.dataset['key'] ?? '',
      () => {
        control.click();
      },
    ]),
);

const text = document.getElementById('article-text');
const reading = document.getElementById('reading');
const placeForm = document.getElementById('place-form');
const bar = document.getElementById('selection-bar');
const highlightForm = document.getElementById('highlight-form');

if (text && reading && placeForm instanceof HTMLFormElement) {
  const place = new ReadingPlace(reading, text, placeForm);
  place.takeUp();
  place.follow();
  text.addEventListener('click', ({ target }) => {
    leadToNote(target);
  });
  text.querySelectorAll('img').forEach((picture) => {
    if (picture.complete && picture.naturalWidth === 0) {
      leaveOut(picture);
    }
  });
  text.addEventListener(
    'error',
    ({ target }) => {
      leaveOut(target);
    },
    ERRORS_DO_NOT_BUBBLE,
  );
}
if (text && bar && highlightForm instanceof HTMLFormElement) {
  const marks = new SelectionMarks(text, bar, highlightForm);
  marks.follow();
  keys['h'] = () => {
    marks.mark('plain');
  };
  keys['n'] = () => {
    marks.mark('note');
  };
}
bindKeys(keys);
