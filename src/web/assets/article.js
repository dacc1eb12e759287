// The script of an article page. Without scripts, the same functions are available through forms and links.
import { ReadingBar } from './article-bar.js';
import { Contents } from './article-contents.js';
import { ArticleHighlights } from './article-highlights.js';
import { SelectionMarks } from './article-marks.js';
import { addCopyButtons, followScrollers } from './article-parts.js';
import { ReadingPlace } from './article-place.js';
import { TextSettings } from './article-settings.js';
import { offerLinks } from './copy-link.js';
import { offerQuotes } from './copy-quote.js';
import { HighlightPanel } from './highlight-panel.js';
import { bindKeys } from './keys.js';
import { act } from './list-actions.js';
import { offerListening } from './listen.js';
import { closeNotices, notifyOf } from './notices.js';

const ERRORS_DO_NOT_BUBBLE = { capture: true };

/**
 * Replaces a picture that cannot be shown with its alternative text. Users cannot select this text, because it is not
 * part of the article's text, so it cannot be highlighted.
 * @param {EventTarget | null} picture
 */
function leaveOut(picture) {
  if (picture instanceof HTMLImageElement && !picture.hidden) {
    picture.hidden = true;
    const words = document.createElement('span');
    words.className = 'alt';
    words.textContent = picture.alt;
    picture.after(words);
  }
}

/**
 * Adds the article to the favorites, or removes it from them. The page stays open.
 * @param {HTMLElement} article
 * @param {HTMLButtonElement} button
 */
async function toggleFavorite(article, button) {
  try {
    const action = button.value;
    const changed = await act({ action, itemIds: [article.dataset['item'] ?? ''] });
    if (changed.length > 0) {
      const isFavorite = action === 'favorite';
      button.value = isFavorite ? 'unfavorite' : 'favorite';
      button.setAttribute('aria-pressed', String(isFavorite));
    }
  } catch (error) {
    notifyOf(error);
  }
}

/** @param {HTMLElement | null} dialog */
function panelOf(dialog) {
  const form = dialog?.querySelector('form');
  const note = dialog?.querySelector('textarea');
  return dialog instanceof HTMLDialogElement && form && note
    ? new HighlightPanel(dialog, form, note)
    : undefined;
}

/** Opens the form for the note about the article if the user follows a link to it. */
function openLinkedNote() {
  const open = () => {
    document.querySelector('#your-note details')?.setAttribute('open', '');
    document.getElementById('item-note')?.focus();
  };
  document.querySelector('a[href="#your-note"]')?.addEventListener('click', open);
  if (location.hash === '#your-note') {
    open();
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

const readingBar = document.getElementById('bar');
const settingsForm = document.getElementById('appearance-form');
const favoriteButton = document.querySelector('#favorite-form button');
const contents = document.getElementById('contents');
const text = document.getElementById('article-text');
const reading = document.getElementById('reading');
const placeForm = document.getElementById('place-form');
const bar = document.getElementById('selection-bar');
const highlightForm = document.getElementById('highlight-form');

if (readingBar) {
  new ReadingBar(readingBar).follow();
}
if (settingsForm instanceof HTMLFormElement) {
  new TextSettings(settingsForm).follow();
}
if (reading && favoriteButton instanceof HTMLButtonElement) {
  favoriteButton.form?.addEventListener('submit', (event) => {
    event.preventDefault();
    void toggleFavorite(reading, favoriteButton);
  });
}
if (contents) {
  new Contents(contents).follow();
}
if (text) {
  addCopyButtons(text);
  followScrollers(text);
}
if (text && reading && placeForm instanceof HTMLFormElement) {
  const place = new ReadingPlace(reading, text, placeForm);
  place.takeUp();
  place.follow();
  Object.assign(keys, offerListening(reading, text, place));
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
const panel = panelOf(document.getElementById('highlight-panel'));
if (text && bar && panel && highlightForm instanceof HTMLFormElement) {
  new ArticleHighlights(text, panel, highlightForm).follow();
  const marks = new SelectionMarks(text, bar, highlightForm, panel);
  marks.follow();
  keys['h'] = () => {
    marks.mark('plain');
  };
  keys['n'] = () => {
    marks.mark('note');
  };
}
closeNotices();
offerQuotes();
offerLinks();
openLinkedNote();
bindKeys(keys);
