const WORDS_READ_A_MINUTE = 220;
const WORDS_HEARD_A_MINUTE = 155;

/** Minutes, at the pace of the original. */
export const minutesToRead = (words: number): number => Math.round(words / WORDS_READ_A_MINUTE);

/** Seconds, at the pace of the original. */
export const secondsToListen = (words: number): number =>
  Math.round((words / WORDS_HEARD_A_MINUTE) * 60);
