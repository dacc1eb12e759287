import { Controls } from './listen-controls.js';
import { LISTEN, Player } from './listen-player.js';
import { watchVoices } from './listen-voices.js';
import { t } from './text.js';

/**
 * Offers to listen to the article of the page. Returns the actions of the keys.
 * @param {HTMLElement} reading
 * @param {HTMLElement} text
 * @param {import('./article-place.js').ReadingPlace} place
 * @returns {Record<string, () => void>}
 */
export function offerListening(reading, text, place) {
  const button = document.getElementById('listen');
  const bar = document.getElementById('player');
  const title = reading.querySelector('h1');
  if (!(button instanceof HTMLButtonElement) || bar === null || title === null) {
    return {};
  }
  button.hidden = false;
  if (!('speechSynthesis' in window)) {
    refuse(button);
    return {};
  }
  const controls = new Controls(bar, button);
  const { next: nextHref, skipped = '0' } = bar.dataset;
  const article = { ...articleOf(reading, title, text), nextHref, skipped };
  const player = new Player(article, place, controls);
  connect(player, controls);
  button.addEventListener('click', player.toggle);
  offerVoices(button, player);
  return keysOf(player, controls);
}

/**
 * @param {HTMLElement} reading
 * @param {HTMLElement} title
 * @param {HTMLElement} text
 * @returns {Omit<import('./listen-player.js').Article, 'nextHref' | 'skipped'>}
 */
function articleOf(reading, title, text) {
  const site = reading.querySelector('.facts span')?.textContent ?? '';
  return { reading, title, text, site, language: text.lang };
}

/**
 * @param {Player} player
 * @param {Controls} controls
 */
function connect(player, controls) {
  controls.bind({
    play: player.toggle,
    previous: player.previous,
    next: player.next,
    previousParagraph: player.previousParagraph,
    nextParagraph: player.nextParagraph,
    back: player.showSentence,
    close: player.close,
    speed: player.setSpeed,
    voice: player.setVoice,
  });
}

/**
 * Returns the actions of the keys, which work while the player is open.
 * @param {Player} player
 * @param {Controls} controls
 */
function keysOf(player, controls) {
  /** @type {Record<string, () => void>} */
  const actions = {
    ',': player.previous,
    '.': player.next,
    '<': player.previousParagraph,
    '>': player.nextParagraph,
    '-': () => {
      controls.stepSpeed(-1);
    },
    '+': () => {
      controls.stepSpeed(1);
    },
  };
  return Object.fromEntries(
    Object.entries(actions).map(([key, act]) => [
      key,
      () => {
        if (player.isOpen) {
          act();
        }
      },
    ]),
  );
}

/**
 * Shows whether the browser has voices. Starts as soon as it has some if the previous article has ended.
 * @param {HTMLButtonElement} button
 * @param {Player} player
 */
function offerVoices(button, player) {
  const name = nameOf(button);
  const label = name.textContent;
  const { title } = button;
  let skipped = continuedAfter();
  watchVoices(speechSynthesis, (hasVoices) => {
    if (!hasVoices) {
      refuse(button);
      return;
    }
    button.disabled = false;
    button.title = title;
    name.textContent = label;
    if (skipped !== undefined) {
      player.openAfter(skipped);
      skipped = undefined;
    } else if (player.isOpen) {
      player.loadVoices();
    }
  });
}

/**
 * Returns the number of skipped items if the previous article has opened this one. Removes it from the address, so that
 * a reload is quiet.
 */
function continuedAfter() {
  const url = new URL(location.href);
  const skipped = url.searchParams.get(LISTEN);
  if (skipped === null) {
    return undefined;
  }
  url.searchParams.delete(LISTEN);
  history.replaceState(history.state, '', url);
  return Number(skipped);
}

/** @param {HTMLButtonElement} button */
function refuse(button) {
  button.disabled = true;
  button.title = t('scripts.listenNoVoicesTitle');
  nameOf(button).textContent = t('scripts.listenNoVoices');
}

/**
 * Returns the element with the name of a button, which is below its icon.
 * @param {HTMLButtonElement} button
 */
const nameOf = (button) => button.querySelector('.name') ?? button;
