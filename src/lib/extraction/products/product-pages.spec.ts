import { extractPage } from '../extract-page.js';

const DESCRIPTION =
  'The storm lantern of the keepers burns for thirty hours, and stays dry in the rain. Its glass is blown by hand, and its handle is made of ash. It was made for the ships of the northern fleet, and is sold to everybody since the last of them was broken up.';
const REVIEW = 'My neighbour bought one too, and both of us like it very much, in the evening. ';
const CART = '<button>Add to cart</button>';
const DELIVERY = `<div><p>${'We send parcels to all islands, on each Friday, with the mail boat. '.repeat(8)}</p></div>`;

const dataOf = (type: string, description = DESCRIPTION, offers?: string): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': type, name: 'Lantern', description, offers })}</script>`;
const OFFER = dataOf('Product', DESCRIPTION, 'https://shop.example/buy');

const textOf = (inner: string, head = ''): string =>
  extractPage({
    html: `<html><head><title>Lantern</title>${head}</head><body><main><h1>Lantern</h1>${inner}</main></body></html>`,
    url: 'https://shop.example/lantern',
  }).text;

it('shows the description of the data where the page shows none', () => {
  const text = textOf(DELIVERY, OFFER);

  expect(text).toContain('blown by hand');
  expect(text).not.toContain('mail boat');
});

it('shows the element of the page that contains the description', () => {
  const parts = DESCRIPTION.split('. ').map((part) => `<li>${part}.</li>`);
  const { articleHtml } = extractPage({
    html: `<html><head><title>Lantern</title>${OFFER}</head><body><main><h1>Lantern</h1>${DELIVERY}<div role="dialog"><ul>${parts.join('')}</ul></div></main></body></html>`,
    url: 'https://shop.example/lantern',
  });

  expect(articleHtml).toMatch(/<li>Its glass is blown by hand/u);
  expect(articleHtml).not.toContain('mail boat');
});

it('shows the page if it contains the description, or if the data has only a slogan', () => {
  const page = `<p>${DESCRIPTION}</p>${DELIVERY}`;

  expect(textOf(page, OFFER)).toContain('mail boat');
  expect(textOf(DELIVERY, dataOf('Product', 'Buy it now', 'https://shop.example/buy'))).toContain(
    'mail boat',
  );
});

it.each([
  ['its data', '', OFFER],
  ['its type', '', '<meta property="og:type" content="og:product">'],
  ['its button for the cart', CART, ''],
])('leaves out what customers say of a product, which %s declares', (_, cart, head) => {
  const reviews = `<section class="product-reviews"><p>${REVIEW.repeat(9)}</p></section>`;
  const text = textOf(`<p>${DESCRIPTION}</p>${cart}<p>${DESCRIPTION}!</p>${reviews}`, head);

  expect(text).toContain('blown by hand');
  expect(text).not.toContain('neighbour');
});

it.each([
  ['an article about a product', CART, dataOf('Article')],
  ['a list of products', CART.repeat(9), ''],
  ['the page of a service, which has no offer', '', dataOf('Product')],
])('keeps what customers say on %s', (_, cart, head) => {
  const reviews = `<section class="reviews"><p>${REVIEW.repeat(9)}</p></section>`;

  expect(textOf(`<p>${DESCRIPTION}</p>${cart}${reviews}`, head)).toContain('neighbour');
});
