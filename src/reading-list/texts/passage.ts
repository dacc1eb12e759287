import { foldedForWords, wordsOf } from './words.js';

/** A part of an article that matches a search. It consists of segments of plain text. */
export type Passage = readonly PassagePiece[];

interface PassagePiece {
  readonly text: string;
  /** True if the segment matches a word of the search. */
  readonly isMatch: boolean;
}

/** A word and its position in the text. */
interface PlacedWord {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** The number of characters at the beginning of an article that are searched for matches. */
const LOOKED_AT = 200_000;
const MOST_MATCHES = 1000;
/** The length of a passage in characters, and the maximum number of characters before its first match. */
const PASSAGE = 240;
const BEFORE = 60;

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const ASCII = /^[\dA-Za-z]+$/;

/** The words of a text with their positions. The words are normalized like the words of a search. */
export class PlacedWords {
  private readonly words: readonly PlacedWord[];
  private readonly text: string;

  constructor(text: string) {
    this.text = text.slice(0, LOOKED_AT);
    this.words = placed(this.text);
  }

  distinct(): ReadonlySet<string> {
    return new Set(this.words.map(({ word }) => word));
  }

  /**
   * Returns the part of the text with the most distinct matching words, or the first of several such parts. Returns
   * undefined if nothing matches.
   */
  passage(matching: ReadonlySet<string>): Passage | undefined {
    const matches = this.words.filter(({ word }) => matching.has(word)).slice(0, MOST_MATCHES);
    const first = matches[densest(matches)];
    return first && this.cutOut(first.from, matches);
  }

  private cutOut(match: number, matches: readonly PlacedWord[]): Passage {
    const { text } = this;
    const from = match <= BEFORE ? 0 : (behindSpace(text, match - BEFORE, match) ?? match);
    const to = Math.min(text.length, from + PASSAGE);
    const end = to === text.length ? to : Math.max(match + 1, text.lastIndexOf(' ', to));
    const pieces: PassagePiece[] = [];
    let at = from;
    const add = (below: number, isMatch: boolean): void => {
      const piece = text.slice(at, below).replaceAll(/\s+/g, ' ').toWellFormed();
      at = Math.max(at, below);
      if (piece !== '') {
        pieces.push({ text: piece, isMatch });
      }
    };
    for (const one of matches.filter((other) => other.from >= from && other.to <= end)) {
      add(one.from, false);
      add(one.to, true);
    }
    add(end, false);
    return [
      ...(from > 0 ? [{ text: '…', isMatch: false }] : []),
      ...pieces,
      ...(end < text.length ? [{ text: '…', isMatch: false }] : []),
    ];
  }
}

function behindSpace(text: string, from: number, below: number): number | undefined {
  const space = text.slice(from, below).search(/\s/u);
  return space < 0 ? undefined : from + space + 1;
}

/**
 * Returns the index of the match at which the best passage begins: the passage with the most distinct matching words.
 */
function densest(matches: readonly PlacedWord[]): number {
  let best = { at: 0, words: 0 };
  matches.forEach(({ from }, at) => {
    const near = matches.slice(at, at + PASSAGE).filter(({ to }) => to - from <= PASSAGE - BEFORE);
    const words = new Set(near.map(({ word }) => word)).size;
    best = words > best.words ? { at, words } : best;
  });
  return best.at;
}

function placed(text: string): PlacedWord[] {
  const known = new Map<string, string>();
  const words: PlacedWord[] = [];
  for (const { 0: run, index: from } of text.matchAll(RUN)) {
    if (ASCII.test(run)) {
      words.push({ word: run.toLowerCase(), from, to: from + run.length });
    } else if (UNSPACED.test(run)) {
      words.push(...pairsIn(run, from));
    } else {
      const word = known.get(run) ?? wordsOf(run)[0] ?? '';
      known.set(run, word);
      words.push({ word, from, to: from + run.length });
    }
  }
  return words;
}

/**
 * Returns each pair of adjacent characters, and each single character. In scripts without spaces between words, these
 * pairs and characters are searched instead of words.
 */
function pairsIn(run: string, start: number): PlacedWord[] {
  const letters = Array.from(run);
  let from = start;
  return letters.flatMap((letter, at) => {
    const here = from;
    from += letter.length;
    const next = letters[at + 1];
    const one = { word: foldedForWords(letter), from: here, to: here + letter.length };
    return next === undefined
      ? [one]
      : [
          {
            word: foldedForWords(`${letter}${next}`),
            from: here,
            to: here + letter.length + next.length,
          },
          one,
        ];
  });
}
