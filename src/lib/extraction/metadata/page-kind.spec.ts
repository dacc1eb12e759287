import { scanMarkup } from '../markup/scan-markup.js';
import { readClues } from './metadata.js';
import { kindOf } from './page-kind.js';
import { EMPTY_SURVEY } from './survey.js';

const paragraphsOf = (count: number, paragraph = 'words '.repeat(50)): string[] =>
  Array.from({ length: count }, () => paragraph);

function isArticle(url: string, head = '', links = 10, paragraphs = paragraphsOf(4)): boolean {
  const { facts } = scanMarkup(head);
  const survey = { ...EMPTY_SURVEY, links };
  return kindOf({
    clues: readClues(facts, { url }, survey),
    hasAuthor: false,
    hasDate: false,
    wordCount: 600,
    paragraphs,
  }).isArticle;
}

const PAGE = 'https://courier.example/a/how-to-coil-a-rope';

describe('what is sold is no article', () => {
  it.each([
    ['its type', PAGE, '<meta property="og:type" content="og:product">'],
    ['its price', PAGE, '<meta property="product:price:amount" content="9.50">'],
    ['the address of services', 'https://courier.example/services/how-to-coil-a-rope', ''],
  ])('by %s', (_name, url, head) => {
    expect(isArticle(PAGE)).toBe(true);
    expect(isArticle(url, head)).toBe(false);
  });
});

describe('what stands among manuals is an article, short and full of links as it may be', () => {
  it.each(['https://docs.courier.example/ropes', 'https://courier.example/docs/ropes'])(
    '%s',
    (url) => {
      expect(isArticle('https://courier.example/a/ropes', '', 120, [])).toBe(false);
      expect(isArticle(url, '', 120, [])).toBe(true);
    },
  );
});

it('takes a paragraph of Japanese for as long as its translation', () => {
  const ARTICLE = 'https://courier.example/a/coiled-ropes';
  const judged = (paragraph: string): boolean =>
    isArticle(ARTICLE, '', 0, paragraphsOf(15, paragraph));

  expect(judged('港の綱は古い。'.repeat(18))).toBe(true);
  expect(judged('The ropes are old. '.repeat(6))).toBe(false);
});
