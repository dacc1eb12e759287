import { escapeUTF8 } from 'entities';

import type { ChapterFacts } from '../../../articles/epub/chapter.js';
import { isRightToLeft } from '../../../lib/util/language-tag.js';
import type { TextLanguage } from '../../../platform/i18n/languages.js';
import type { MessageKey } from '../../../platform/i18n/message.js';
import type { Translator } from '../../../platform/i18n/translator.js';

/** The pages run no script. They load their pictures, and those pictures from the web that the archive lacks. */
const POLICY = [
  `default-src 'none'`,
  `img-src 'self' file: data: https: http:`,
  `style-src 'unsafe-inline'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

const STYLE = [
  ':root{color-scheme:light dark;background:Canvas;color:CanvasText}',
  'body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.1rem/1.6 serif;overflow-wrap:anywhere}',
  'img{max-width:100%;height:auto}',
  'pre,.wide{overflow-x:auto}',
  'h1,h2{line-height:1.25}',
  '.items li{margin-bottom:1rem}',
  '.items h2{font-size:1.1rem;margin:0}',
  '.items p{margin:0;font-size:.9rem}',
  '.items blockquote{margin:0}',
  'table{border-collapse:collapse;overflow-wrap:break-word}',
  'td,th{border:1px solid;padding:.2em .5em}',
  'mark{background:#fe8;color:#000}',
  'mark[data-color=green]{background:#bea}',
  'mark[data-color=blue]{background:#bdf}',
  'mark[data-color=pink]{background:#fbd}',
  'mark a{color:inherit}',
  '.note{white-space:pre-wrap}',
].join('');

interface ArticleView {
  readonly facts: ChapterFacts;
  /** The authors, the date and the site. */
  readonly line: readonly string[];
  /** The path of the picture above the text. */
  readonly lead: string | undefined;
  /** The article as HTML that is safe to show. */
  readonly html: string;
  /** The HTML of the user's notes. Undefined if there are none. */
  readonly notes: string | undefined;
  /** The language of the notes' headings. */
  readonly language: TextLanguage;
}

/** A snapshot in the archive. */
export interface SnapshotFile {
  readonly path: string;
  readonly createdAt: Date;
}

/** The files of an item in the archive. */
interface ItemView {
  readonly facts: ChapterFacts;
  /** The path of the page with the article and the notes. Undefined if the item has neither. */
  readonly page: string | undefined;
  readonly hasArticle: boolean;
  readonly snapshots: readonly SnapshotFile[];
}

/** The numbers of things that an archive does not contain. */
export interface Missing {
  articles: number;
  conversions: number;
  pictures: number;
  snapshots: number;
}

const MISSING = [
  ['articles', 'export.archive.missing.articles'],
  ['conversions', 'export.archive.missing.conversions'],
  ['pictures', 'export.archive.missing.pictures'],
  ['snapshots', 'export.archive.missing.snapshots'],
] as const satisfies readonly [keyof Missing, MessageKey][];

/** Returns the page of an article. */
export function articlePage({ facts, line, lead, html, notes, language }: ArticleView): string {
  const { language: own, isRightToLeft: isRtl, title } = facts;
  const parts = [
    `<h1>${escapeUTF8(title)}</h1>`,
    `<p>${escapeUTF8(line.join(' · '))}</p>`,
    `<p>${addressOf(facts)}</p>`,
    lead === undefined ? '' : `<p><img src="${escapeUTF8(lead)}" alt=""></p>`,
    html,
  ];
  const head = headOf(title, own, isRtl ? 'rtl' : 'ltr');
  const more =
    notes === undefined
      ? ''
      : `<section lang="${language}" dir="${directionOf(language)}">\n${notes}\n</section>\n`;
  return `${head}<article>\n${parts.join('\n')}\n</article>\n${more}${END}`;
}

/** Returns the text that replaces the article on the page of an item with notes. */
export const noArticle = ({ language, text }: Translator): string =>
  `<p${langOf(language)}>${escapeUTF8(text('export.archive.noArticle'))}</p>`;

/** Returns the beginning of the list of all items, with the numbers of things that are missing. */
export function indexStart({ language, text }: Translator, missing: Missing): string {
  const title = text('export.archive.title');
  const lines = MISSING.filter(([name]) => missing[name] > 0).map(
    ([name, key]) => `<li>${escapeUTF8(text(key, { number: String(missing[name]) }))}</li>`,
  );
  const report =
    lines.length === 0
      ? `<p>${escapeUTF8(text('export.archive.complete'))}</p>`
      : `<h2>${escapeUTF8(text('export.archive.missing.title'))}</h2>\n<ul>${lines.join('\n')}</ul>`;
  return [
    `${headOf(title, language, directionOf(language))}<h1>${escapeUTF8(title)}</h1>`,
    `<p>${escapeUTF8(text('export.archive.library', { file: LIBRARY_FILE }))}</p>`,
    report,
    '<ol class="items">\n',
  ].join('\n');
}

/** Returns the entry of an item in the list of all items. */
export function indexRow(translator: Translator, view: ItemView): string {
  const { facts, page, hasArticle, snapshots } = view;
  const { title, savedAt, tags } = facts;
  const day = `<time datetime="${savedAt.toISOString()}">${escapeUTF8(translator.day(savedAt))}</time>`;
  const name = `<bdi${langOf(facts.language)}>${escapeUTF8(title)}</bdi>`;
  const links = snapshots.map(({ path, createdAt }) => {
    const date = translator.day(createdAt);
    return linkTo(path, escapeUTF8(translator.text('export.archive.snapshot', { date })));
  });
  const missing = hasArticle ? [] : [escapeUTF8(translator.text('export.archive.noArticle'))];
  const facets = [day, ...tags.map((tag) => `<bdi>${escapeUTF8(tag)}</bdi>`), ...missing, ...links];
  return [
    `<li><h2>${page === undefined ? name : linkTo(page, name)}</h2>`,
    `<p>${addressOf(facts)}</p>`,
    `<p>${facets.join(' · ')}</p></li>\n`,
  ].join('\n');
}

export const LIBRARY_FILE = 'library.jsonl';
const END = '</main>\n</body>\n</html>\n';
export const INDEX_END = `</ol>\n${END}`;

function headOf(title: string, language: string | undefined, direction: 'ltr' | 'rtl'): string {
  return [
    `<!doctype html>\n<html${langOf(language)} dir="${direction}">\n<head>`,
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeUTF8(title)}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<main>\n`,
  ].join('\n');
}

const langOf = (language: string | undefined): string =>
  language === undefined ? '' : ` lang="${escapeUTF8(language)}"`;

const directionOf = (language: TextLanguage): 'ltr' | 'rtl' =>
  isRightToLeft(language) ? 'rtl' : 'ltr';

const linkTo = (href: string, html: string): string => `<a href="${escapeUTF8(href)}">${html}</a>`;

/** Returns the address of the original page, as a link if the address is a valid URI. */
const addressOf = ({ source, address }: ChapterFacts): string =>
  source === undefined ? escapeUTF8(address) : linkTo(source, escapeUTF8(address));
