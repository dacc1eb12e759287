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

  /** The reason for each case is in docs/research/resolving.md, "Titles". */
  it.each([
    [
      'not the site that the headline links to',
      '<title>Notes of a keeper - The gulls of spring</title><h1><a href="/">Notes of a keeper</a></h1><h2>The gulls of spring</h2>',
      'The gulls of spring',
    ],
    [
      'not the site that stands behind a bar',
      '<meta property="og:site_name" content="Harbour Gazette"><title>Nests | The harbour gazette</title><h1>The harbour gazette</h1>',
      'Nests',
    ],
    [
      'what stands behind a bar, where no site is called so',
      '<title>Harbour Authority | Gulls are back on the pier</title><h1>Gulls are back on the pier</h1>',
      'Gulls are back on the pier',
    ],
    [
      'what stands behind the bar of a site that tells its name',
      '<meta property="og:site_name" content="Harbour Authority"><title>Harbour Authority | Gulls are back on the pier</title><h1>Gulls are back on the pier</h1>',
      'Gulls are back on the pier',
    ],
    [
      'what stands behind a colon and is a headline',
      '<title>Harbour Docs: Install the lamp</title><h1>Install the lamp</h1>',
      'Install the lamp',
    ],
    [
      'what stands behind an arrow and is a headline',
      '<title>Home « News « Gulls are back</title><h1>Gulls are back</h1>',
      'Gulls are back',
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
      '<meta property="og:site_name" content="港口日报"><title>春天的海鸥回到了港口_自然_港口日报</title><h1>港口日报</h1>',
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

  it.each(['https://nils.example/post/amp/', 'https://nils.example/post/comment-page-2/'])(
    'is that of the article which a headline leads to from below it: %s',
    (url) => {
      const html = (host: string): string =>
        `<title>My great post about nets – Nils writes</title><h1><a href="https://${host}/post/">My great post about nets</a></h1>`;

      expect(title(html('nils.example'), url)).toBe('My great post about nets');
      expect(title(html('other.example'), url)).toBe('My great post about nets');
    },
  );

  it('is not the site that a headline leads to in an archive', () => {
    const html =
      '<title>Gulls of the pier : Ada writes</title><h1><a href="https://archive.example/web/2024/https://nils.example/">Ada writes</a></h1>';

    expect(title(html, 'https://archive.example/web/2024/https://nils.example/gulls')).toBe(
      'Gulls of the pier',
    );
  });

  it('is not the name of the site on another host, at the root of which its headline leads', () => {
    const html =
      '<title>Gulls of the pier | Ada</title><h1><a href="https://other.example/">Gulls of the pier</a></h1>';

    expect(title(html)).toBe('Gulls of the pier');
  });

  it('is the name of the site on its front page', () => {
    const html = '<title>Boats and gulls | Harbour Society</title><h1>Harbour Society</h1>';

    expect(title(html, 'https://www.courier.example/')).toBe('Harbour Society');
    expect(title(`<meta property="og:site_name" content="Society">${html}`)).toBe(
      'Boats and gulls',
    );
  });

  it('is not the name of a site below a shared domain', () => {
    const html = '<title>Courier</title><h1>Why gulls return each spring</h1>';

    expect(title(html, 'https://www.courier.co.uk/gulls')).toBe('Why gulls return each spring');
  });
});
