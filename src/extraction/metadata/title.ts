import { decodeHTML } from 'entities';

import { squeezed } from '../dom.js';
import { metaOf } from '../markup/head-reader.js';
import { type Clues, firstOf, type Source } from './clues.js';
import { ldText } from './json-ld.js';
import { similarity, squashed } from './similarity.js';

const LONGEST = 500;
/** How much the only headline, or one of several, has to agree with what the head says. */
const AGREEING = { only: 0.2, several: 0.4 };

const SOURCES: readonly Source<string>[] = [
  agreeingHeading,
  (clues) => withoutSite(metaOf(clues.facts, ['og:title', 'twitter:title']), clues),
  headline,
  (clues) => withoutSuffix(clues.facts.title, clues),
  (clues) => (clues.survey.headings.length === 1 ? clues.survey.headings[0]?.text : undefined),
  (clues) => clues.facts.title,
];

/** The headline of the page. */
export const titleOf = (clues: Clues): string =>
  squeezed(decodeHTML((firstOf(SOURCES, clues) ?? '').slice(0, LONGEST)));

function headline({ main }: Clues): string | undefined {
  return main.map((node) => ldText(node['headline'])).find((text) => text !== '');
}

function agreeingHeading(clues: Clues): string | undefined {
  const { facts, survey, siteName } = clues;
  const headings = survey.headings.map(({ text }) => text).filter((text) => text !== '');
  const least = headings.length > 1 ? AGREEING.several : AGREEING.only;
  const said = [metaOf(facts, ['og:title']), headline(clues) ?? '', facts.title].map((text) =>
    withoutSite(text, clues),
  );
  const agreement = (text: string): number => Math.max(...said.map((one) => similarity(text, one)));
  return headings
    .filter((text) => squashed(text) !== squashed(siteName) && agreement(text) >= least)
    .sort((a, b) => agreement(b) - agreement(a))
    .map((text) => said.find((one) => isWithin(one, text)) ?? beforeBar(text))[0];
}

/** A headline may have a date before it or a number of comments behind. */
const isWithin = (title: string, heading: string): boolean =>
  title.split(/\s+/u).length >= 3 && title.length > heading.length / 2 && heading.includes(title);

const SEPARATOR = / [|\-–—»«·•:~/]+ | ?[|»«•] ?|: (?=[^:]+$)/u;

/** A title without the part that is the site's name, before or behind. */
function withoutSite(title: string, clues: Clues): string {
  const parts = partsOf(squeezed(title.slice(0, 4 * LONGEST)));
  const names = siteNames(clues);
  while (parts.length > 1 && names.some((name) => beginsWith(parts.at(-1), name))) {
    parts.pop();
  }
  while (parts.length > 1 && names.some((name) => leads(parts[0], name))) {
    parts.shift();
  }
  return parts
    .map(({ text, separator }, index) => (index === parts.length - 1 ? text : text + separator))
    .join('');
}

const siteNames = ({ siteName, url }: Clues): string[] =>
  [siteName, url.hostname.replace(/^www\./u, ''), mainLabel(url.hostname)]
    .map(squashed)
    .filter((name) => name.length > 2);

/** Behind a title a site may say more than its name. */
const beginsWith = ({ text } = NO_PART, name: string): boolean =>
  squashed(text) === name || (name.length > 4 && squashed(text).startsWith(name));

/** So it may before a bar; before a colon that is the title: "Docker Images: what is in them". */
const leads = (part = NO_PART, name: string): boolean =>
  squashed(part.text) === name || (BAR.test(part.separator) && beginsWith(part, name));

interface Part {
  readonly text: string;
  readonly separator: string;
}

const NO_PART: Part = { text: '', separator: '' };
const BAR = /[|»«•]/u;

function partsOf(title: string): Part[] {
  const parts: Part[] = [];
  let rest = title;
  for (let found = SEPARATOR.exec(rest); found && parts.length < 20; found = SEPARATOR.exec(rest)) {
    parts.push({ text: rest.slice(0, found.index), separator: found[0] });
    rest = rest.slice(found.index + found[0].length);
  }
  return [...parts, { text: rest, separator: '' }];
}

const mainLabel = (host: string): string => host.split('.').at(-2) ?? '';

/** A bar or an arrow always parts the title from where it stands; a dash may be the title's own. */
function withoutSuffix(title: string, clues: Clues): string {
  const line = squeezed(title.slice(0, 4 * LONGEST));
  const bare = withoutSite(line, clues);
  return bare === line ? beforeBar(line) : bare;
}

function beforeBar(title: string): string {
  const [first = ''] = title.split(/ [|»«·]+ /u);
  return first.split(/\s+/u).length >= 3 ? first : title;
}
