import { decodeHTML } from 'entities';

import { squeezed } from '../../dom.js';
import { squashed } from '../similarity.js';
import {
  ADDRESS,
  ANY_PREFIX,
  BETWEEN,
  COMPANY,
  CREDIT,
  DATED,
  DEGREE,
  GLUED_BY,
  LONGEST,
  NO_AUTHOR,
  OTHER_ROLE,
  PREFIX,
  ROLE,
  SENTENCE,
  SMALL,
  SMALL_PREFIX,
  SPANISH_AND,
  SUFFIX,
} from './name-patterns.js';

/** Returns the names of people and editorial teams in a byline. */
export function namesIn(line: string, siteName: string): string[] {
  const named = line.replace(/ [-–|] https?:\S{1,200}$/u, '');
  if (ADDRESS.test(named)) {
    return [];
  }
  const bare = decodeHTML(named)
    // Keeps only the writer if the byline names several roles, such as the writer and the
    // photographer. A full-width space separates the roles: "文：小林一茶　写真：山田太郎".
    .replace(/^(文[:：][^\u3000]*)\u3000.*/su, '$1')
    .replace(/[^\S\n]+/gu, ' ')
    .trim()
    .replace(GLUED_BY, '')
    .replace(PREFIX, '')
    .replace(SMALL_PREFIX, '')
    .split('\n')
    .filter((part) => !CREDIT.test(part.trim()))
    .join('\n');
  const parts = bare
    .split(BETWEEN)
    .flatMap((part) => part.split(SPANISH_AND))
    .filter((part) => !NO_AUTHOR.test(squeezed(part)) && !OTHER_ROLE.test(squeezed(part)))
    .map(cleaned);
  const names = parts.filter((name) => isName(name, siteName));
  return [...new Set(names.length > 1 ? names.filter(isNameInList) : names)];
}

const isNameInList = (name: string): boolean =>
  !SMALL.test(name) && !ROLE.test(name) && !DEGREE.test(name);

function cleaned(name: string): string {
  const line = squeezed(name).replace(GLUED_BY, '').replace(PREFIX, '');
  const end = line.search(SUFFIX);
  return (end < 0 ? line : line.slice(0, end)).replace(/^[ ,.:-]+|(?<![ ,:-])[ ,:-]+$/gu, '');
}

const isNoName = (name: string): boolean =>
  NO_AUTHOR.test(name) ||
  NO_AUTHOR.test(name.replace(ANY_PREFIX, '')) ||
  SENTENCE.test(name) ||
  COMPANY.test(name);

function isName(name: string, siteName: string): boolean {
  const words = name.split(' ').length;
  return (
    name.length > 1 &&
    name.length <= LONGEST &&
    words <= 6 &&
    /\p{L}.?\p{L}/u.test(name) &&
    !/[{}<>=:：？！。]|^\S[^\s.]*\.\S{3,}$/u.test(name) &&
    !DATED.test(name) &&
    !isNoName(name) &&
    squashed(name) !== squashed(siteName)
  );
}
