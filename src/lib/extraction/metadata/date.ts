import { metaOf } from '../markup/head-reader.js';
import { type Clues, firstOf, type Source } from './clues.js';
import { type DateHabit, dateIn, leadsToEvent, type PageDate } from './date-text.js';
import { ldText } from './json-ld.js';
import type { Mark } from './survey.js';

const PUBLISHED = (
  'article:published_time og:article:published_time article:published datepublished date_published dc.date.issued ' +
  'dcterms.issued dc.date.created dcterms.created citation_publication_date citation_online_date citation_date ' +
  'parsely-pub-date sailthru.date cxenseparse:recs:publishtime rnews:datepublished bt:pubdate publishdate publish_date ' +
  'publish-date published pubdate pub_date publication_date publication-date article.published originalpublicationdate ' +
  'date.published datecreated og:pubdate og:published_time shareaholic:article_published_time displaydate ' +
  'dc.date dcterms.date dc:date date article:post_date weibo:article:create_at video:release_date og:video:release_date ' +
  'book:release_date prism.publicationdate eprints.datestamp created timestamp release_date uploaddate'
).split(' ');
const MODIFIED = (
  'article:modified_time og:updated_time og:article:modified_time datemodified dc.date.modified dcterms.modified ' +
  'last-modified lastmod modified revised http-last-modified http-date updated_time utime'
).split(' ');

const DAY_MS = 86_400_000;

const SOURCES: readonly Source<PageDate>[] = [
  (clues) => linkedDate(clues, ['datePublished', 'uploadDate', 'dateCreated']),
  (clues) => dateIn(metaOf(clues.facts, PUBLISHED), habitOf(clues)),
  (clues) => marked(clues, 3),
  (clues) => dateOfAddress(clues),
  (clues) => marked(clues, 4),
  (clues) => inOpening(clues),
  (clues) => dateIn(clues.facts.scriptDate, habitOf(clues)),
  (clues) => linkedDate(clues, ['dateModified']),
  (clues) => dateIn(metaOf(clues.facts, MODIFIED), habitOf(clues)),
  (clues) => marked(clues, 10),
];

/**
 * Returns the publication date of a page. If the page shows no publication date, returns the date of the last change.
 */
export function dateOf(clues: Clues): PageDate | undefined {
  const date = firstOf(SOURCES, clues);
  const addressed = dateOfAddress(clues);
  // Prefers the day in the page's address: it is in the author's time zone, but a day from a timestamp may not be.
  return date && addressed && isNextDay(date, addressed)
    ? { day: addressed.day, at: date.at }
    : date;
}

const isNextDay = (one: PageDate, other: PageDate): boolean =>
  Math.abs(Date.parse(one.day) - Date.parse(other.day)) <= DAY_MS;

/** Matches the end of a sentence. A date in a sentence is not the publication date, but the date of an event. */
const SENTENCE = /\p{L}{2}[.!?]["”»)]?$/u;

const inOpening = (clues: Clues): PageDate | undefined =>
  clues.survey
    .opening()
    .filter((line) => !SENTENCE.test(line) && !leadsToEvent(line))
    .map((line) => dateIn(line, habitOf(clues)))
    .find((date) => date !== undefined);

function linkedDate(clues: Clues, members: readonly string[]): PageDate | undefined {
  return members
    .flatMap((member) => clues.main.map((node) => dateIn(ldText(node[member]), habitOf(clues))))
    .find((date) => date !== undefined);
}

/**
 * Returns the most certain date, from the elements whose `doubt` is below the given limit. Among
 * equally certain dates, the one nearest to the headline wins. The distance of an element before
 * the headline is multiplied by 20.
 */
function marked(clues: Clues, doubt: number): PageDate | undefined {
  const { dates, headings } = clues.survey;
  const headline = headings[0]?.order ?? 0;
  const distance = ({ order }: Mark): number =>
    order >= headline ? order - headline : 20 * (headline - order);
  return dates
    .filter((mark) => mark.doubt < doubt)
    .sort((a, b) => a.doubt - b.doubt || distance(a) - distance(b))
    .map(({ text }) => dateIn(text, habitOf(clues)))
    .find((date) => date !== undefined);
}

/**
 * Returns the properties of a page that are needed to parse its dates. English pages write the
 * month first if they are from the United States or if their country is unknown.
 */
function habitOf(clues: Clues): DateHabit {
  const declared = clues.facts.lang || metaOf(clues.facts, ['og:locale']);
  const [language = '', region = ''] = declared.toLowerCase().split(/[-_]/u);
  const ofAmerica = region === 'us' || (region === '' && !isOfCountry(clues.url.hostname));
  return {
    monthFirst: ofAmerica && (language === '' || language === 'en'),
    language,
    latestDay: clues.latestDay,
  };
}

/**
 * Country domains that do not show if a site writes the day before the month. Most of these
 * domains, such as `.io`, are used in all countries. The others, such as `.us`, belong to countries
 * that write the month first.
 */
const ANYWHERE = new Set('ai cc co fm gg io ly me ph sh so to tv us ws'.split(' '));

function isOfCountry(host: string): boolean {
  const end = host.split('.').at(-1) ?? '';
  return end.length === 2 && !ANYWHERE.has(end);
}

const IN_ADDRESS =
  /(?<!\d)((?:19|20)\d\d)[/._-]?(0[1-9]|1[0-2]|[1-9](?=[/._-]))[/._-]?(0[1-9]|[12]\d|3[01]|[1-9](?=[/._-]))(?!\d)/u;

function dateOfAddress({ url, latestDay }: Clues): PageDate | undefined {
  const [, year, month = '', day = ''] = IN_ADDRESS.exec(url.pathname) ?? [];
  return year === undefined
    ? undefined
    : dateIn(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, {
        monthFirst: false,
        latestDay,
      });
}
