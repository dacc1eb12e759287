import { BASE } from './own-path.js';

/** Finds the voices of the browser that fit a language, and remembers the voice and the speed that the user chose. */

/** Browsers load their voices after the page, and report no event if there are none. */
const LOADED_WITHIN_MS = 2000;
const SPEED = `satchel${BASE}-speed`;
/** @param {string} language */
const voiceKey = (language) => `satchel${BASE}-voice-${primary(language)}`;

/** @param {string} language */
const normal = (language) => language.replaceAll('_', '-').toLowerCase();

/**
 * Returns the language without its region: `pt` for `pt-BR`.
 * @param {string} language
 */
const primary = (language) => normal(language).replace(/-.*/, '');

/**
 * Calls a function when it is known whether the browser has voices, and again when this changes.
 * @param {SpeechSynthesis} synthesis
 * @param {(hasVoices: boolean) => void} report
 */
export function watchVoices(synthesis, report) {
  const hasVoices = () => synthesis.getVoices().length > 0;
  const timer = setTimeout(() => {
    report(hasVoices());
  }, LOADED_WITHIN_MS);
  const check = () => {
    if (hasVoices()) {
      clearTimeout(timer);
      report(true);
    }
  };
  // Old versions of Safari have voices, but no events.
  if ('addEventListener' in synthesis) {
    synthesis.addEventListener('voiceschanged', check);
  }
  check();
}

/** The voices for the texts of one language. */
export class VoiceChoice {
  /** @type {readonly SpeechSynthesisVoice[]} */
  voices = [];
  /**
   * The voice that speaks. Undefined if the browser should choose.
   * @type {SpeechSynthesisVoice | undefined}
   */
  voice;
  /** False if no voice fits the language. Then `voices` contains the voices of all languages. */
  fits = false;

  /**
   * @param {SpeechSynthesis} synthesis
   * @param {string} language Empty if the language is unknown.
   */
  constructor(synthesis, language) {
    this.synthesis = synthesis;
    this.language = language === '' ? navigator.language : language;
  }

  /**
   * Selects the remembered voice, or else the best one. Without a network, selects a voice of the device. Browsers load
   * their voices late, so this is repeated before each start.
   */
  load() {
    const all = this.synthesis.getVoices();
    const fitting = all.filter(({ lang }) => this.isFor(lang));
    this.fits = fitting.length > 0;
    this.voices = this.fits ? sorted(fitting, this.language) : all;
    const remembered = read(voiceKey(this.language));
    this.voice = this.voices.find(({ voiceURI }) => voiceURI === remembered) ?? this.voices[0];
    if (!navigator.onLine) {
      this.useLocal();
    }
  }

  /**
   * Returns true if the voices speak this language.
   * @param {string} language
   */
  isFor(language) {
    return primary(language) === primary(this.language);
  }

  /** @param {string} voiceUri */
  choose(voiceUri) {
    this.voice = this.voices.find(({ voiceURI }) => voiceURI === voiceUri);
    write(voiceKey(this.language), voiceUri);
  }

  /** Replaces a voice of another server with a voice of the device. Returns false if this is not possible. */
  useLocal() {
    const local = this.voices.find(({ localService }) => localService);
    if (this.voice?.localService !== false || local === undefined) {
      return false;
    }
    this.voice = local;
    return true;
  }
}

/**
 * Returns voices in order: first those of the device, because other voices send the text of the article to a company.
 * Then those of the same region, and those of the user's regions.
 * @param {SpeechSynthesisVoice[]} voices
 * @param {string} language
 */
function sorted(voices, language) {
  const users = navigator.languages.map(normal);
  /** @param {SpeechSynthesisVoice} voice */
  const score = (voice) =>
    (voice.localService ? 8 : 0) +
    (normal(voice.lang) === normal(language) ? 4 : 0) +
    (users.includes(normal(voice.lang)) ? 2 : 0) +
    (voice.default ? 1 : 0);
  return voices.sort((one, other) => score(other) - score(one));
}

/** Returns the speed that the user chose, as text. */
export const rememberedSpeed = () => read(SPEED) ?? '1';

/** @param {string} speed */
export const rememberSpeed = (speed) => {
  write(SPEED, speed);
};

/**
 * Reads from the storage of the browser, which the user may have blocked.
 * @param {string} key
 */
function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice is lost with the page.
  }
}
