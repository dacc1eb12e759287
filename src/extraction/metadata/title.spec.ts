import { parseDocument } from '../dom.js';
import { scanMarkup } from '../markup/scan-markup.js';
import { readClues } from './metadata.js';
import { surveyOf } from './survey.js';
import { titleOf } from './title.js';

const PAGE = 'https://www.courier.example/stories/one';

function title(html: string, url = PAGE): string {
  const markup = scanMarkup(html);
  return titleOf(readClues(markup.facts, { url }, surveyOf(parseDocument(markup.html).body)));
}

describe('title', () => {
  it.each([
    [
      'the headline that agrees',
      '<title>Gulls are back | Courier</title><h1>The gulls are back</h1>',
      'The gulls are back',
    ],
    [
      'not the name of the site',
      '<meta property="og:site_name" content="Courier"><title>Gulls - Courier</title><h1>Courier</h1>',
      'Gulls',
    ],
    [
      'og:title without the site',
      '<meta property="og:title" content="Gulls of the pier | Courier">',
      'Gulls of the pier',
    ],
    ['the site before the title', '<title>Courier: Gulls of the pier</title>', 'Gulls of the pier'],
    [
      'JSON-LD',
      '<script type="application/ld+json">{"@type":"Article","headline":"Gulls"}</script>',
      'Gulls',
    ],
    [
      'a dash of its own',
      '<title>Gulls - a history of noise</title>',
      'Gulls - a history of noise',
    ],
    ['the only headline', '<h1>Gulls</h1>', 'Gulls'],
    ['nothing', '<p>x</p>', ''],
  ])('%s', (_name, html, expected) => {
    expect(title(html)).toBe(expected);
  });

  /** Each has a reason in docs/resolving.md, "Titles". */
  it.each([
    [
      'not the site that the headline links to',
      '<title>Notes of a keeper - The gulls of spring</title><h1><a href="/">Notes of a keeper</a></h1><h2>The gulls of spring</h2>',
      'The gulls of spring',
    ],
    [
      'not the site that stands behind a bar',
      '<title>Nests | The harbour gazette</title><h1>The harbour gazette</h1>',
      'Nests',
    ],
    [
      'what stands behind a dash, where the page shows it',
      '<title>Gazette - How gulls nest</title><h1>How gulls nest</h1>',
      'How gulls nest',
    ],
    [
      'not the headline of another page',
      '<title>Where gulls nest in town</title><h1><a href="/other">Where gulls sleep in winter</a></h1><h1>Gulls nest in parks today</h1>',
      'Gulls nest in parks today',
    ],
    [
      'what the page wants to be called elsewhere',
      '<meta property="og:title" content="Gulls are back"><title>News - Courier</title><h1>News</h1><h1>Gulls are back</h1>',
      'Gulls are back',
    ],
    [
      'the part of the title that is a heading',
      '<title>Sailing club - News - The first regatta - Archive</title><h3>The first regatta</h3>',
      'The first regatta',
    ],
    [
      'no heading that leads to another page',
      '<title>The first regatta of the year - Sailing club</title><h2><a href="/">Sailing club</a></h2>',
      'The first regatta of the year - Sailing club',
    ],
    [
      'the headline, where every title of the site is its name',
      '<title>Courier</title><h1>Why gulls return each spring</h1>',
      'Why gulls return each spring',
    ],
    [
      'the only headline of several that agrees',
      '<title>Gull Feeding Plan | Harbour</title><h1>A feeding plan that is easy for gulls</h1><h1>Select your region</h1>',
      'A feeding plan that is easy for gulls',
    ],
    [
      'no headline of a box',
      '<title>Discounts on deck paint | Harbour</title><h1>Discounts</h1><h1>Guarantee</h1>',
      'Discounts on deck paint',
    ],
    [
      'the name of the site without a space before it',
      '<meta property="og:site_name" content="かもめ日誌"><meta property="og:title" content="春のかもめ:かもめ日誌">',
      '春のかもめ',
    ],
    [
      'no section between underscores',
      '<title>春天的海鸥回到了港口_自然_港口日报</title><h1>港口日报</h1>',
      '春天的海鸥回到了港口',
    ],
    [
      'a headline up to its bar, where the head repeats it too',
      '<meta property="og:title" content="Best boats of 2025 | Top 19"><h1>Best boats of 2025 | Top 19</h1>',
      'Best boats of 2025',
    ],
    [
      'all of a headline that one of several says',
      '<script type="application/ld+json">{"@type":"Article","headline":"Where are the gulls of spring?"}</script><title>the gulls of spring</title><h1>Where are the gulls of spring?</h1>',
      'Where are the gulls of spring?',
    ],
    [
      'a headline with what leads to it',
      '<title>Gulls miss the spring</title><h1>"So quiet": Gulls miss the spring</h1>',
      '"So quiet": Gulls miss the spring',
    ],
    [
      'a headline without its date',
      '<title>Gulls miss the spring</title><h1>9 March Gulls miss the spring</h1>',
      'Gulls miss the spring',
    ],
    [
      'what stands behind a colon, though it begins with the name of the site',
      '<meta property="og:site_name" content="Courier"><meta property="og:title" content="Introducing: Courier Evening Edition">',
      'Introducing: Courier Evening Edition',
    ],
    [
      'a headline with what stands behind its colon',
      '<meta property="og:site_name" content="Courier"><title>All you need to know of it: Courier Desktop 5</title><h1>All you need to know of it: Courier Desktop 5</h1>',
      'All you need to know of it: Courier Desktop 5',
    ],
    [
      'not the name of the site behind a colon',
      '<meta property="og:site_name" content="The Courier"><meta property="og:title" content="Gulls of the pier: the courier">',
      'Gulls of the pier',
    ],
  ])('is %s', (_name, html, expected) => {
    expect(title(html)).toBe(expected);
  });

  it('is the name of the site on its front page', () => {
    const html = '<title>Boats and gulls | Harbour Society</title><h1>Harbour Society</h1>';

    expect(title(html, 'https://www.courier.example/')).toBe('Harbour Society');
    expect(title(html)).toBe('Boats and gulls');
  });

  it('is not the name of a site below a shared domain', () => {
    const html = '<title>Courier</title><h1>Why gulls return each spring</h1>';

    expect(title(html, 'https://www.courier.co.uk/gulls')).toBe('Why gulls return each spring');
  });
});
