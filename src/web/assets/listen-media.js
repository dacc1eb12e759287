/**
 * The media keys of keyboards and headphones, and the controls on lock screens. Browsers connect these only to a page
 * that plays a media element, and speech is not one. Therefore, the page plays silence during speech.
 */

const SAMPLES_PER_SECOND = 8000;
/** Chromium shows no controls for sounds under five seconds. */
const SECONDS = 10;
const SILENT_SAMPLE = 128;
const [RIFF, WAVE, FORMAT, DATA] = [0x46464952, 0x45564157, 0x20746d66, 0x61746164];
const [ONE_CHANNEL_OF_INTEGERS, ONE_BYTE_PER_SAMPLE] = [0x10001, 0x80001];
const FORMAT_BYTES = 16;
const BYTES_BEFORE_SAMPLES = 36;

/** Creates a silent sound in the format WAV. */
function silence() {
  const samples = new Uint8Array(SAMPLES_PER_SECOND * SECONDS).fill(SILENT_SAMPLE);
  const header = new Uint32Array([
    ...[RIFF, BYTES_BEFORE_SAMPLES + samples.length, WAVE],
    ...[FORMAT, FORMAT_BYTES, ONE_CHANNEL_OF_INTEGERS],
    ...[SAMPLES_PER_SECOND, SAMPLES_PER_SECOND, ONE_BYTE_PER_SAMPLE],
    ...[DATA, samples.length],
  ]);
  return new Blob([header, samples], { type: 'audio/wav' });
}

export class MediaKeys {
  /** @type {HTMLAudioElement | undefined} */
  #sound;

  /**
   * @param {import('./listen-player.js').Article} article
   * @param {import('./listen-player.js').Player} player
   */
  constructor(article, player) {
    this.article = article;
    this.actions = actionsOf(player);
  }

  play() {
    if (!('mediaSession' in navigator)) {
      return;
    }
    this.#sound ??= this.#connect();
    navigator.mediaSession.playbackState = 'playing';
    // Speech works without the silence too.
    this.#sound.play().catch(() => undefined);
  }

  pause() {
    if (this.#sound !== undefined) {
      this.#sound.pause();
      navigator.mediaSession.playbackState = 'paused';
    }
  }

  /** Removes the controls from the lock screen. */
  stop() {
    if (this.#sound === undefined) {
      return;
    }
    this.#sound.pause();
    URL.revokeObjectURL(this.#sound.src);
    this.#sound.removeAttribute('src');
    this.#sound = undefined;
    navigator.mediaSession.playbackState = 'none';
    navigator.mediaSession.metadata = null;
    for (const [action] of this.actions) {
      bind(action, null);
    }
  }

  #connect() {
    const sound = new Audio(URL.createObjectURL(silence()));
    sound.loop = true;
    const { title, site } = this.article;
    navigator.mediaSession.metadata = new MediaMetadata({
      title: title.textContent.trim(),
      artist: site,
    });
    for (const [action, act] of this.actions) {
      bind(action, act);
    }
    return sound;
  }
}

/**
 * Returns the actions of the media keys. Headphones have keys for the previous and the next track. Here, they skip
 * paragraphs.
 * @param {import('./listen-player.js').Player} player
 * @returns {[MediaSessionAction, () => void][]}
 */
const actionsOf = (player) => [
  ['play', player.play],
  ['pause', player.pause],
  ['stop', player.close],
  ['previoustrack', player.previousParagraph],
  ['nexttrack', player.nextParagraph],
  ['seekbackward', player.previous],
  ['seekforward', player.next],
];

/**
 * @param {MediaSessionAction} action
 * @param {(() => void) | null} handler
 */
function bind(action, handler) {
  try {
    navigator.mediaSession.setActionHandler(action, handler);
  } catch {
    // The browser does not know this action.
  }
}
