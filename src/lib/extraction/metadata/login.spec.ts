import { extractPage } from '../extract-page.js';

const PROSE = '<p>The new engine needs a third less coal, yet the drivers prefer the old one.</p>';
const linkedText = (free: string): string =>
  `<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": ${free}}</script>`;
const linked = (free: unknown): string => linkedText(JSON.stringify(free));

const isLoginRequired = (body: string): boolean =>
  extractPage({
    html: `<html><head><meta property="og:type" content="article"></head><body><article><h1>The bell</h1>${body}</article></body></html>`,
    url: 'https://courier.example/the-bell',
  }).isLoginRequired;

it.each([
  ['JSON-LD', linked(false) + PROSE, true],
  ['JSON-LD with a text', linked('False') + PROSE, true],
  [
    'JSON-LD of a free page with a wall',
    `${linked(true)}${PROSE}<div class="paywall">Join</div>`,
    false,
  ],
  ['the class of a wall', `${PROSE}<div class="article-paywall">Sign in to see all</div>`, true],
  ['an offer', `${PROSE}<h2>Subscribe to continue reading</h2>`, true],
  ['a wall that is closed', `${PROSE}<div class="paywall"></div>`, false],
  ['an offer below a whole article', `${PROSE.repeat(30)}<p>Subscribe to keep reading</p>`, false],
  ['JSON-LD with an address', linked('https://schema.org/False') + PROSE, true],
  ['a value in 50,000 lists', linkedText(`${'['.repeat(50_000)}false${']'.repeat(50_000)}`), false],
  [
    'a value in 50,000 objects',
    linkedText(`${'{"a":'.repeat(50_000)}0${'}'.repeat(50_000)}`),
    false,
  ],
  ['nothing', PROSE, false],
])('reads from %s if a login is required', (_source, body, expected) => {
  expect(isLoginRequired(body)).toBe(expected);
});
