import { ask, element } from './lib/elements.js';
import { fillTexts, language, text } from './lib/texts.js';

/** @typedef {import('./lib/commands.js').Saved} Saved */
/** @typedef {import('./lib/items.js').Item} Item */

const status = element('status', HTMLSpanElement);
const title = element('page-title', HTMLParagraphElement);
const saved = element('saved', HTMLDivElement);
const tags = element('tags', HTMLInputElement);
const allTags = element('all-tags', HTMLDataListElement);
const suggested = element('suggested', HTMLDivElement);
const archive = element('archive', HTMLButtonElement);
const favorite = element('favorite', HTMLButtonElement);
const retryLine = element('retry-line', HTMLParagraphElement);
const undoLine = element('undo-line', HTMLParagraphElement);
const read = element('read', HTMLAnchorElement);
const main = document.querySelector('main');

const DATE = new Intl.DateTimeFormat(language(), { dateStyle: 'long' });

/** The id of the tab whose page the popup shows. */
let tabId = -1;
/** @type {Item | undefined} */
let item;
/**
 * The names of all tags of the user.
 * @type {readonly string[]}
 */
let known = [];
/**
 * The function that the button `Try again` of the popup calls. It repeats the last command.
 * @type {() => Promise<boolean>}
 */
let again = () => Promise.resolve(false);

/**
 * Shows a message in the popup.
 * @param {string} shown
 * @param {boolean} [isFailure]
 */
function say(shown, isFailure = false) {
  status.textContent = shown;
  status.classList.toggle('failed', isFailure);
}

/**
 * Runs a command in the background script and shows the result in the popup.
 * @param {string} doing The text to show until the command ends.
 * @param {import('./lib/service.js').Members} message
 * @param {(state: Saved) => string} [done] Returns the text to show after a success.
 * @returns {Promise<boolean>} True if the command succeeded.
 */
async function perform(doing, message, done = sentenceOf) {
  again = () => perform(doing, message, done);
  say(doing);
  main?.setAttribute('aria-busy', 'true');
  const { value, problem } = await ask({ tabId, ...message });
  main?.setAttribute('aria-busy', 'false');
  retryLine.hidden = problem === undefined;
  if (problem !== undefined) {
    say(problem.text, true);
    element('retry', HTMLButtonElement).hidden = problem.needsConnection;
    element('settings', HTMLButtonElement).classList.toggle('primary', problem.needsConnection);
    return false;
  }
  const state = /** @type {Saved} */ (value);
  show(state);
  say(done(state));
  return true;
}

/** @param {Saved} state */
function sentenceOf({ item: found, isNew, snapshotProblem }) {
  if (snapshotProblem !== undefined) {
    return text('popup.savedWithoutSnapshot', { reason: snapshotProblem });
  }
  if (isNew || found === undefined) {
    return text('popup.saved');
  }
  const date = day(found);
  return found.isArchived
    ? text('popup.archivedSince', { date })
    : text('popup.savedSince', { date });
}

/** @param {Item} added */
const day = ({ added }) => DATE.format(new Date(added * 1000));

/**
 * Returns the text that the popup shows after the item was saved again. The new state of the item no longer contains
 * the time of the earlier save.
 */
function againSentence() {
  if (item === undefined) {
    return text('popup.saved');
  }
  const date = day(item);
  return item.isArchived
    ? text('popup.movedFromArchive', { date })
    : text('popup.movedToTop', { date });
}

/** @param {Saved} state */
function show({ item: found, allTags: names, suggested: offers, server }) {
  item = found ?? item;
  saved.hidden = found === undefined;
  title.hidden = found === undefined;
  undoLine.hidden = found !== undefined;
  if (found === undefined) {
    return;
  }
  title.textContent = found.title;
  tags.value = found.tags.join(', ');
  known = names;
  complete();
  offer(offers);
  archive.textContent = text(found.isArchived ? 'popup.unarchive' : 'popup.archive');
  favorite.setAttribute('aria-pressed', String(found.isFavorite));
  read.href = `${server}/read/${found.id}`;
}

/**
 * Fills the list of suggestions for the tag input. If the user selects a suggestion, the browser replaces all tags in
 * the input with the suggestion. Therefore, each suggestion begins with the tags that the user has already typed.
 */
function complete() {
  const before = /^.*,\s*/.exec(tags.value)?.[0] ?? '';
  const [first] = allTags.children;
  if (first instanceof HTMLOptionElement && first.dataset['before'] === before) {
    return;
  }
  allTags.replaceChildren(...known.map((name) => new Option(name, `${before}${name}`)));
  allTags.firstElementChild?.setAttribute('data-before', before);
}

/** @param {readonly string[]} names */
function offer(names) {
  suggested.hidden = names.length === 0;
  suggested.replaceChildren(
    ...names.map((name) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = name;
      button.setAttribute('aria-label', text('popup.addTag', { tag: name }));
      button.addEventListener('click', () => {
        tags.value = [tags.value.trim().replace(/,$/, ''), name].filter(Boolean).join(', ');
        button.remove();
        suggested.hidden = suggested.childElementCount === 0;
        tags.focus();
      });
      return button;
    }),
  );
}

/**
 * Applies an action, such as `archive`, to the item in the popup. Shows `success` if the action
 * succeeds.
 * @param {string} action
 * @param {string} success
 * @param {string} [names]
 */
const act = (action, success, names) =>
  perform(
    text('popup.savingChanges'),
    { command: 'act', itemId: item?.id, action, ...(names !== undefined && { tags: names }) },
    () => success,
  );

element('tags-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void act('tags_replace', text('popup.tagsSaved'), tags.value);
});
tags.addEventListener('input', complete);
archive.addEventListener('click', () => {
  void (item?.isArchived === true
    ? act('undo_archive', text('popup.unarchived'))
    : act('archive', text('popup.archived')));
});
favorite.addEventListener('click', () => {
  void (item?.isFavorite === true
    ? act('unfavorite', text('popup.unfavorited'))
    : act('favorite', text('popup.favorited')));
});
element('delete', HTMLButtonElement).addEventListener('click', () => {
  void act('delete', text('popup.deleted')).then((isDone) => {
    if (isDone) {
      element('undo', HTMLButtonElement).focus();
    }
  });
});
element('undo', HTMLButtonElement).addEventListener('click', () => {
  void perform(text('popup.saving'), { command: 'undoDelete', item }, () => text('popup.restored'));
});
element('again', HTMLButtonElement).addEventListener('click', () => {
  const sentence = againSentence();
  void perform(text('popup.saving'), { command: 'saveAgain' }, (state) =>
    state.snapshotProblem === undefined ? sentence : sentenceOf(state),
  );
});
element('snapshot', HTMLButtonElement).addEventListener('click', () => {
  void perform(text('popup.savingSnapshot'), { command: 'saveSnapshot' }, ({ isPartial }) =>
    text(isPartial === true ? 'popup.savedSnapshotPartly' : 'popup.savedSnapshot'),
  );
});
element('retry', HTMLButtonElement).addEventListener('click', () => void again());
element('settings', HTMLButtonElement).addEventListener('click', () => {
  void chrome.runtime.openOptionsPage();
});

fillTexts();
const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
tabId = tab?.id ?? -1;
if (await perform(text('popup.saving'), { command: 'open' })) {
  tags.focus();
}
