// The page of an article. Everything here can also be done by the forms and links of the page.
import { SelectionMarks } from './article-marks.js';
import { ReadingPlace } from './article-place.js';

/** @type {Map<string, () => void>} */
const keys = new Map();

/** @param {EventTarget | null} target */
const isTyped = (target) =>
  target instanceof HTMLElement && target.closest('input, textarea, select') !== null;

/** A key presses the control that names it: j k a f d. */
document.addEventListener('keydown', (event) => {
  if (isTyped(event.target) || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const control = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  const action =
    keys.get(event.key) ??
    (control instanceof HTMLElement
      ? () => {
          control.click();
        }
      : undefined);
  if (action) {
    event.preventDefault();
    action();
  }
});

/**
 * A click on marked words leads to the note.
 *
 * @param {EventTarget | null} target
 */
function leadToNote(target) {
  const words = target instanceof Element ? target.closest('a, mark[data-highlights]') : null;
  const [id] = words?.getAttribute('data-highlights')?.split(' ') ?? [];
  if (id !== undefined && getSelection()?.isCollapsed) {
    location.hash = `note-${id}`;
  }
}

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
}
if (text && bar && highlightForm instanceof HTMLFormElement) {
  const marks = new SelectionMarks(text, bar, highlightForm);
  marks.follow();
  keys.set('h', () => {
    marks.mark('plain');
  });
  keys.set('n', () => {
    marks.mark('note');
  });
}
